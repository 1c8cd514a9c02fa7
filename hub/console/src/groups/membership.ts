// Adds a device to a group or removes it, with a notification.
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';

interface Membership {
  groupId: string;
  deviceId: string;
  member: boolean;
}

export function useMembership() {
  const write = useTenantWrite();
  const reload = useReload();
  return useMutation({
    mutationFn: ({ groupId, deviceId, member }: Membership) =>
      write(member ? 'PUT' : 'DELETE', `/device-groups/${groupId}/devices/${deviceId}`),
    onSuccess: (_answer, { member }) => {
      const { deviceAdded, deviceTakenOut } = texts.groups;
      notifications.show({ color: 'teal', message: member ? deviceAdded : deviceTakenOut });
      reload('device-groups');
    },
  });
}
