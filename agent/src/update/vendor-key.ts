// The vendor's public key (SPKI in base64), by which this agent checks its own updates. Put in when a package is built; an
// agent that runs from source has none, and takes no updates.
export const VENDOR_KEY: string | null = null;
