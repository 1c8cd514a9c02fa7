// A part of a page that is read only once it has come into sight, or once the keyboard has come to it.
import { useIntersection } from '@mantine/hooks';
import { type ReactNode, useEffect, useState } from 'react';
import { Section } from './Page.tsx';

interface LazySectionProps {
  title: string;
  children: ReactNode;
}

export function LazySection({ title, children }: LazySectionProps) {
  const { ref, entry } = useIntersection({ rootMargin: '200px' });
  const [wasSeen, setSeen] = useState(false);
  const isSeen = entry?.isIntersecting === true;
  useEffect(() => {
    if (isSeen) setSeen(true);
  }, [isSeen]);
  if (wasSeen) {
    return (
      <div ref={ref} tabIndex={-1} data-testid="lazy-section" data-seen="">
        <Section title={title}>{children}</Section>
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form
    <div
      ref={ref}
      role="group"
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: nothing in it could have the focus yet, which would pass it by
      tabIndex={0}
      data-testid="lazy-section"
      onFocus={() => setSeen(true)}
    >
      <Section title={title}>
        <div className="gw-unseen" />
      </Section>
    </div>
  );
}
