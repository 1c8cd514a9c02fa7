// A membership query in words, a line for each condition.
import type { GroupRule } from '@gatewarden/shared/wire/console/device-groups.ts';
import { texts } from '../texts.ts';
import { Name } from '../ui/Name.tsx';
import './groups.css';

/** Quotes a name with a comma. */
const listed = (value: string) => (value.includes(',') ? texts.groups.quoted(value) : value);

export function RuleText({ rule }: { rule: GroupRule }) {
  return (
    <ul className="gw-rule-text" data-testid="rule-text">
      {rule.conditions.map(({ field, test, values }) => {
        const text = `${texts.groups.fields[field]} ${texts.groups.tests[test]} ${values.map(listed).join(', ')}`;
        return (
          <li key={text}>
            <Name value={text} />
          </li>
        );
      })}
    </ul>
  );
}
