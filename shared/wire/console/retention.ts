// The retention of device reports in days, for every tenant.
export const ACTIVITY_DAYS = 90;
export const ALERT_DAYS = 365;
