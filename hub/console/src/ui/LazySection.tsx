// A section of a page that is loaded when it becomes visible or focused.
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
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form
    <div
      ref={ref}
      role="group"
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the empty section must be focusable to be loaded
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
