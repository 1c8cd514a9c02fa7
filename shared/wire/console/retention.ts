// How many days the hub keeps what devices report, for every tenant.
export const ACTIVITY_DAYS = 90;
export const ALERT_DAYS = 365;
