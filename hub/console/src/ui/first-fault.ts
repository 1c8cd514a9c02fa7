// Moves the focus to the first invalid field after a form was not sent, for keyboards and screen readers.

/** Watches the document; returns a function that ends it. */
export function goToFaults(): () => void {
  const onSubmit = ({ target }: SubmitEvent) => {
    if (!(target instanceof HTMLFormElement)) return;
    // The fields are marked as invalid after the next render.
    setTimeout(() => {
      const at = document.activeElement;
      // The focus stays in an invalid field where the user pressed Enter.
      if (at?.getAttribute('aria-invalid') === 'true') return;
      target.querySelector<HTMLElement>('[aria-invalid="true"]:enabled')?.focus();
    }, 0);
  };
  document.addEventListener('submit', onSubmit);
  return () => {
    document.removeEventListener('submit', onSubmit);
  };
}
