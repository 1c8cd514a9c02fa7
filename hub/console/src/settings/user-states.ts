// The states of a person, without the schema library that the wire file brings along.
import type { UserRow } from '@gatewarden/shared/wire/console/users.ts';

export const USER_STATES = ['enabled', 'disabled'] as const satisfies readonly UserRow['state'][];
