// Text from a device or a user: shown as text, isolated in direction, complete on hover.
import { texts } from '../texts.ts';
import { visible } from './visible.ts';

interface NameProps {
  value: string | null;
  /** At most two lines, with the whole text on hover. */
  clamp?: boolean;
  mono?: boolean;
}

/** An e-mail address is shown on a single line, since a break would split it inside a word. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

export function Name({ value, clamp = false, mono = false }: NameProps) {
  if (value === null || value === '') {
    return <span className="gw-dimmed">{texts.ui.unknown}</span>;
  }
  const isEmail = EMAIL.test(value);
  const shape = isEmail ? 'gw-email' : clamp && 'gw-clamp';
  const classes = ['gw-name', shape, mono && 'gw-mono'];
  return (
    <bdi
      className={classes.filter(Boolean).join(' ')}
      {...(clamp || isEmail ? { title: visible(value) } : {})}
    >
      {visible(value)}
    </bdi>
  );
}
