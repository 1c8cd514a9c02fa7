/** A provider cannot be called with its settings. The message continues "The provider" and contains no setting. */
export class ProviderMisconfigured extends Error {}
