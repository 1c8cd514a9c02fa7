// The maximum number of apps in a bulk policy. A constant of its own, because the wire schema would load the schema library.
export const BULK_MAX = 100;
