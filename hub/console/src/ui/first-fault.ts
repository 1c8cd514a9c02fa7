// A form that was not sent because of what is filled in says so at its fields; whoever pressed the button with the keyboard,
// or hears the page, is taken to the first of them.

/** Watches the document; gives back what ends that. */
export function goToFaults(): () => void {
  const onSubmit = ({ target }: SubmitEvent) => {
    if (!(target instanceof HTMLFormElement)) return;
    // The fields know of it once the page is drawn anew.
    setTimeout(() => {
      const at = document.activeElement;
      // Who types in a field and pressed Enter there stays, where that is what is at fault.
      if (at?.getAttribute('aria-invalid') === 'true') return;
      target.querySelector<HTMLElement>('[aria-invalid="true"]:enabled')?.focus();
    }, 0);
  };
  document.addEventListener('submit', onSubmit);
  return () => {
    document.removeEventListener('submit', onSubmit);
  };
}
