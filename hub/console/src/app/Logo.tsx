// The mark: a shield with a gate in it, and the product's name.
import { texts } from '../texts.ts';

export function Logo() {
  return (
    <span className="gw-logo">
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" fill="#0f5f6e" />
        <path
          d="M16 5.5 7 8.7v7.1c0 5.4 3.7 9 9 10.9 5.3-1.9 9-5.5 9-10.9V8.7Z"
          fill="none"
          stroke="#fff"
          strokeWidth="2.2"
          strokeLinejoin="round"
        />
        <path
          d="M12.2 21v-5.3a3.8 3.8 0 0 1 7.6 0V21M16 12v9.5"
          fill="none"
          stroke="#7fdbe6"
          strokeWidth="2"
          strokeLinecap="round"
        />
      </svg>
      <span>{texts.product}</span>
    </span>
  );
}
