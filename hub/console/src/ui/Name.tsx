// Text that came from a machine or a person: shown as text, isolated from its surroundings, whole on hover.
import { texts } from '../texts.ts';
import { visible } from './visible.ts';

interface NameProps {
  value: string | null;
  /** At most two lines, with the whole text on hover. */
  clamp?: boolean;
  mono?: boolean;
}

export function Name({ value, clamp = false, mono = false }: NameProps) {
  if (value === null || value === '') {
    return <span className="gw-dimmed">{texts.ui.unknown}</span>;
  }
  const classes = ['gw-name', clamp ? 'gw-clamp' : '', mono ? 'gw-mono' : ''];
  return (
    <bdi
      className={classes.filter(Boolean).join(' ')}
      {...(clamp ? { title: visible(value) } : {})}
    >
      {visible(value)}
    </bdi>
  );
}
