// So many applications in a policy: what the hub takes. Stated here, for its schema would bring the schema library along.
export const BULK_MAX = 100;
