// Made by `npm run dump` from the OpenAPI document of the hub. Not to be edited.
export interface paths {
    "/llmgateway/management-admin/v1/tenants/{tenant_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List management keys
         * @description Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page. Requires an administrator's token of the tenant.
         */
        get: operations["listManagementKeys"];
        put?: never;
        /**
         * Issue a management key
         * @description The key is returned once. Requires an administrator's token of the tenant. Repeat a request with the same `Idempotency-Key` within 24 hours to get the same answer.
         */
        post: operations["issueManagementKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management-admin/v1/tenants/{tenant_id}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a management key; works while the tenant is suspended
         * @description Refused from the next request on. Requires an administrator's token of the tenant. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        delete: operations["revokeManagementKey"];
        options?: never;
        head?: never;
        /**
         * Update the name, scopes or expiry of a management key
         * @description Requires an administrator's token of the tenant. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        patch: operations["updateManagementKey"];
        trace?: never;
    };
    "/llmgateway/management-admin/v1/tenants/{tenant_id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the management API settings of a tenant
         * @description Requires an administrator's token of the tenant.
         */
        get: operations["getManagementSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the management API settings: opt in, or suspend all keys
         * @description Requires an administrator's token of the tenant. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        patch: operations["updateManagementSettings"];
        trace?: never;
    };
    "/llmgateway/management/v1/app": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app with its stored settings
         * @description Requires a management key with the scope `read`.
         */
        get: operations["getAppByQuery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the configuration of an app
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        patch: operations["updateAppByQuery"];
        trace?: never;
    };
    "/llmgateway/management/v1/app/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List app keys
         * @description Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page. Requires a management key with the scope `read`.
         */
        get: operations["listAppKeysByQuery"];
        put?: never;
        /**
         * Issue an app key
         * @description Requires a management key with the scope `credentials:write`. Repeat a request with the same `Idempotency-Key` within 24 hours to get the same answer.
         */
        post: operations["issueAppKeyByQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/app/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app key without its secret
         * @description Requires a management key with the scope `read`.
         */
        get: operations["getAppKeyByQuery"];
        put?: never;
        post?: never;
        /**
         * Revoke a key; its name is free again
         * @description Requires a management key with the scope `credentials:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        delete: operations["revokeAppKeyByQuery"];
        options?: never;
        head?: never;
        /**
         * Update the expiry of an active key
         * @description Requires a management key with the scope `credentials:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        patch: operations["updateAppKeyByQuery"];
        trace?: never;
    };
    "/llmgateway/management/v1/app/keys/{key_id}/reveal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reveal the secret of an active key; audited
         * @description Requires a management key with the scope `credentials:read`.
         */
        post: operations["revealAppKeyByQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/app/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List prompts
         * @description Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page. Requires a management key with the scope `read`.
         */
        get: operations["listAppPromptsByQuery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/app/prompts/{prompt_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a prompt and the app's version
         * @description Requires a management key with the scope `read`.
         */
        get: operations["getAppPromptByQuery"];
        /**
         * Create or replace a prompt
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        put: operations["saveAppPromptByQuery"];
        post?: never;
        /**
         * Delete a prompt
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        delete: operations["deleteAppPromptByQuery"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/app/provider-conversion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert a legacy app to shared providers
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        post: operations["convertAppProvidersByQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/app/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attached provider labels, primary first
         * @description Requires a management key with the scope `read`.
         */
        get: operations["listAppProvidersByQuery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/app/providers/{label}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Attach a shared provider, or make it primary
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        put: operations["attachAppProviderByQuery"];
        post?: never;
        /**
         * Detach a provider from the app; the provider is kept
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        delete: operations["detachAppProviderByQuery"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/app/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List configuration versions, newest first
         * @description Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page. Requires a management key with the scope `read`.
         */
        get: operations["listAppVersionsByQuery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/app/versions/{version_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a configuration version with its content before and after
         * @description A version never changes, so it has no ETag. Requires a management key with the scope `read`.
         */
        get: operations["getAppVersionByQuery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/app/versions/{version_id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore the configuration of a version as a new change
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed. Repeat a request with the same `Idempotency-Key` within 24 hours to get the same answer.
         */
        post: operations["rollbackAppVersionByQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List apps
         * @description Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page. Requires a management key with the scope `read`.
         */
        get: operations["listApps"];
        put?: never;
        /**
         * Create an app and its first key
         * @description Requires a management key with the scope `config:write` and `credentials:write`. Repeat a request with the same `Idempotency-Key` within 24 hours to get the same answer.
         */
        post: operations["createApp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app with its stored settings
         * @description Requires a management key with the scope `read`.
         */
        get: operations["getApp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the configuration of an app
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        patch: operations["updateApp"];
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List app keys
         * @description Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page. Requires a management key with the scope `read`.
         */
        get: operations["listAppKeys"];
        put?: never;
        /**
         * Issue an app key
         * @description The key is returned, and can be revealed later. Requires a management key with the scope `credentials:write`. Repeat a request with the same `Idempotency-Key` within 24 hours to get the same answer.
         */
        post: operations["issueAppKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an app key without its secret
         * @description Requires a management key with the scope `read`.
         */
        get: operations["getAppKey"];
        put?: never;
        post?: never;
        /**
         * Revoke a key; its name is free again
         * @description Revocation is final. Gateway nodes follow within seconds. Requires a management key with the scope `credentials:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        delete: operations["revokeAppKey"];
        options?: never;
        head?: never;
        /**
         * Update the expiry of an active key
         * @description Requires a management key with the scope `credentials:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        patch: operations["updateAppKey"];
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}/keys/{key_id}/reveal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reveal the secret of an active key; audited
         * @description Recorded in the audit log. Requires a management key with the scope `credentials:read`.
         */
        post: operations["revealAppKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List prompts
         * @description Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page. Requires a management key with the scope `read`.
         */
        get: operations["listAppPrompts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}/prompts/{prompt_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a prompt and the app's version
         * @description Requires a management key with the scope `read`.
         */
        get: operations["getAppPrompt"];
        /**
         * Create or replace a prompt
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        put: operations["saveAppPrompt"];
        post?: never;
        /**
         * Delete a prompt
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        delete: operations["deleteAppPrompt"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}/provider-conversion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert a legacy app to shared providers
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        post: operations["convertAppProviders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attached provider labels, primary first
         * @description Requires a management key with the scope `read`.
         */
        get: operations["listAppProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}/providers/{label}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Attach a shared provider, or make it primary
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        put: operations["attachAppProvider"];
        post?: never;
        /**
         * Detach a provider from the app; the provider is kept
         * @description The last provider of an app cannot be detached. Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        delete: operations["detachAppProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List configuration versions, newest first
         * @description Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page. Requires a management key with the scope `read`.
         */
        get: operations["listAppVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}/versions/{version_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a configuration version with its content before and after
         * @description A version never changes, so it has no ETag. Requires a management key with the scope `read`.
         */
        get: operations["getAppVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}/versions/{version_id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore the configuration of a version as a new change
         * @description Requires a management key with the scope `config:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed. Repeat a request with the same `Idempotency-Key` within 24 hours to get the same answer.
         */
        post: operations["rollbackAppVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List management audit events, newest first
         * @description Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page. Requires a management key with the scope `read`.
         */
        get: operations["listManagementAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/audit/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a management audit event
         * @description An event never changes, so it has no ETag. Requires a management key with the scope `read`.
         */
        get: operations["getManagementAuditEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the capabilities of this deployment
         * @description `request_id` is at the root, beside the capabilities, as in every answer. Requires a management key with the scope `read`.
         */
        get: operations["getCapabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/custom-definitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List custom definitions
         * @description Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page. Requires a management key with the scope `read`.
         */
        get: operations["listCustomDefinitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/custom-definitions/{definition_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a custom definition
         * @description Requires a management key with the scope `read`.
         */
        get: operations["getCustomDefinition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OpenAPI 3.1 document of this API
         * @description Requires a management key with the scope `read`.
         */
        get: operations["getOpenapiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/operations/{operation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the outcome of an operation
         * @description Requires a management key with the scope `read`.
         */
        get: operations["getOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/operations/{operation_id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repeat a configuration write with an unknown outcome
         * @description Use it if the connection was lost while a write was in progress. Requires a management key with the scope `config:write`.
         */
        post: operations["recoverOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List shared providers
         * @description Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page. Requires a management key with the scope `read`.
         */
        get: operations["listProviders"];
        put?: never;
        /**
         * Create a shared provider
         * @description Requires a management key with the scope `providers:write`. Repeat a request with the same `Idempotency-Key` within 24 hours to get the same answer.
         */
        post: operations["createProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/providers/{label}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a shared provider without its secrets
         * @description Requires a management key with the scope `read`.
         */
        get: operations["getProvider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a shared provider, rotate its credentials, enable or disable it
         * @description Requires a management key with the scope `providers:write`. Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.
         */
        patch: operations["updateProvider"];
        trace?: never;
    };
    "/llmgateway/management/v1/providers/{label}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a provider with a short request
         * @description Sends a short request to the provider, which can cost money. Requires a management key with the scope `providers:write`.
         */
        post: operations["testProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/smart-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List smart groups
         * @description Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page. Requires a management key with the scope `read`.
         */
        get: operations["listSmartGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llmgateway/management/v1/smart-groups/{group_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a smart group
         * @description Requires a management key with the scope `read`.
         */
        get: operations["getSmartGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Access
         * @description Who may use an app, by e-mail address or identity header.
         */
        Access: {
            allowed_source_ips?: string[] | {
                enabled?: boolean;
                ips?: string[];
            } | null;
            allowed_user_domains?: string[];
            allowed_user_emails?: string[];
            enforce_conversation_id?: boolean;
            enforce_identity?: boolean;
            identity_header_mode?: boolean;
            identity_token_headers?: string[];
            identity_token_oid_fallback?: boolean;
            jwt_auth?: {
                allowed_client_ids?: string[];
                allowed_issuers?: string[];
                enabled?: boolean;
                kid?: string;
                public_key_pem?: string;
            } | null;
        };
        /**
         * Alerting
         * @description When an app raises alerts about failed requests, and where they go.
         */
        Alerting: {
            app_level?: {
                /** @default 10 */
                cooldown_minutes?: number;
                /** @default false */
                enabled?: boolean;
                /** @default 10 */
                failure_rate_threshold?: number;
                /** @default 20 */
                minimum_requests?: number;
                /** @default true */
                notify_on_recovery?: boolean;
                /** @default 15 */
                window_minutes?: number;
            };
            channels?: {
                emails?: string[];
                webhooks?: {
                    id: string;
                    label?: string;
                    /** @default generic */
                    type?: "vendorL" | "generic";
                    url?: string;
                }[];
            };
            provider_level?: {
                /** @default 10 */
                cooldown_minutes?: number;
                /** @default false */
                enabled?: boolean;
                /** @default 10 */
                failure_rate_threshold?: number;
                /** @default 20 */
                minimum_requests?: number;
                /** @default true */
                notify_on_recovery?: boolean;
                /** @default 15 */
                window_minutes?: number;
            };
        };
        /**
         * App
         * @description An app of the AI gateway with its stored settings, without secrets.
         */
        App: {
            access?: components["schemas"]["Access"];
            alerting?: components["schemas"]["Alerting"] | null;
            /**
             * Format: uuid
             * @description a UUID
             */
            app_id: string;
            /** @description Unix seconds, possibly with a fraction */
            created_at: number;
            detection?: components["schemas"]["Detection"];
            enabled: boolean;
            inline_providers?: {
                provider_name: string;
                provider_settings: {
                    [key: string]: unknown;
                };
            }[];
            limits?: components["schemas"]["Limits"];
            /** @enum {unknown} */
            mode: "gateway" | "sdk" | "vendorB_studio";
            name: string;
            policy_authority: {
                active_checksum: string | null;
                active_revision: string | null;
                enabled: boolean;
            };
            prompts?: {
                require_system_from_store?: boolean;
            };
            provider_labels: string[];
            routing?: components["schemas"]["Routing"];
            self_service?: {
                enable_self_service?: boolean;
                self_service?: {
                    access_control?: {
                        roles?: {
                            self_service_viewer?: components["schemas"]["SelfServiceRole"];
                            settings_update_direct?: components["schemas"]["SelfServiceRole"];
                            settings_update_requester?: components["schemas"]["SelfServiceRole"];
                            show_api_key?: components["schemas"]["SelfServiceRole"];
                            show_logs_for_all_users?: components["schemas"]["SelfServiceRole"];
                        };
                        /**
                         * @default 1
                         * @enum {number}
                         */
                        version?: 1;
                    } | null;
                };
            };
            smart_group_policies?: components["schemas"]["SmartGroupPolicies"];
            tags: string[];
            transformations?: components["schemas"]["Transformations"];
            /** @description Unix seconds, possibly with a fraction */
            updated_at: number;
            /** @description The ETag verbatim, with its quotes. */
            version: string;
        };
        /**
         * AppCreate
         * @description A new app, with its settings and optionally its first key.
         */
        AppCreate: {
            access?: components["schemas"]["Access"];
            alerting?: components["schemas"]["Alerting"] | null;
            detection?: components["schemas"]["Detection"];
            enabled?: boolean;
            initial_key?: {
                expires_at?: string | null;
                /** @description 1 to 200 characters, not only white space or invisible ones */
                name?: string;
            };
            limits?: components["schemas"]["Limits"];
            /** @enum {unknown} */
            mode?: "gateway" | "sdk" | "vendorB_studio";
            /** @description 1 to 1000 characters, not only white space or invisible ones */
            name: string;
            prompts?: {
                require_system_from_store?: boolean;
            };
            provider_labels?: string[];
            routing?: components["schemas"]["Routing"];
            self_service?: {
                enable_self_service?: boolean;
                self_service?: {
                    access_control?: {
                        roles?: {
                            self_service_viewer?: components["schemas"]["SelfServiceRole"];
                            settings_update_direct?: components["schemas"]["SelfServiceRole"];
                            settings_update_requester?: components["schemas"]["SelfServiceRole"];
                            show_api_key?: components["schemas"]["SelfServiceRole"];
                            show_logs_for_all_users?: components["schemas"]["SelfServiceRole"];
                        };
                        self_service_viewer?: components["schemas"]["SelfServiceRole"];
                        settings_update_direct?: components["schemas"]["SelfServiceRole"];
                        settings_update_requester?: components["schemas"]["SelfServiceRole"];
                        show_api_key?: components["schemas"]["SelfServiceRole"];
                        show_logs_for_all_users?: components["schemas"]["SelfServiceRole"];
                        /**
                         * @default 1
                         * @enum {number}
                         */
                        version?: 1;
                    } | null;
                };
            };
            smart_group_policies?: components["schemas"]["SmartGroupPolicies"];
            tags?: string[];
            transformations?: components["schemas"]["Transformations"];
        };
        /**
         * AppKey
         * @description A key of an app, without its secret.
         */
        AppKey: {
            /** @description Unix seconds, possibly with a fraction */
            created_at: number;
            creator: {
                email: string | null;
                id: string;
                kind: string;
            };
            expires_at: string | null;
            fingerprint: string;
            /**
             * Format: uuid
             * @description a UUID
             */
            key_id: string;
            last_used_at: number | null;
            last_used_from: string | null;
            name: string;
            revoked_at: number | null;
            /** @enum {unknown} */
            status: "active" | "expired" | "revoked";
            /** @description The ETag verbatim, with its quotes. */
            version: string;
        };
        /**
         * AppKeyIssued
         * @description A new key of an app with its secret.
         */
        AppKeyIssued: {
            /** @description Unix seconds, possibly with a fraction */
            created_at: number;
            creator: {
                email: string | null;
                id: string;
                kind: string;
            };
            expires_at: string | null;
            fingerprint: string;
            /**
             * Format: uuid
             * @description a UUID
             */
            key_id: string;
            last_used_at: number | null;
            last_used_from: string | null;
            name: string;
            revoked_at: number | null;
            secret: string;
            /** @enum {unknown} */
            status: "active" | "expired" | "revoked";
            /** @description The ETag verbatim, with its quotes. */
            version: string;
        };
        /**
         * AppPatch
         * @description Changes of an app. A section that is left out is not changed.
         */
        AppPatch: {
            access?: components["schemas"]["Access"];
            alerting?: components["schemas"]["Alerting"] | null;
            detection?: components["schemas"]["Detection"];
            enabled?: boolean;
            limits?: components["schemas"]["Limits"];
            prompts?: {
                require_system_from_store?: boolean;
            };
            provider_labels?: string[];
            routing?: components["schemas"]["Routing"];
            self_service?: {
                enable_self_service?: boolean;
                self_service?: {
                    access_control?: {
                        roles?: {
                            self_service_viewer?: components["schemas"]["SelfServiceRole"];
                            settings_update_direct?: components["schemas"]["SelfServiceRole"];
                            settings_update_requester?: components["schemas"]["SelfServiceRole"];
                            show_api_key?: components["schemas"]["SelfServiceRole"];
                            show_logs_for_all_users?: components["schemas"]["SelfServiceRole"];
                        };
                        self_service_viewer?: components["schemas"]["SelfServiceRole"];
                        settings_update_direct?: components["schemas"]["SelfServiceRole"];
                        settings_update_requester?: components["schemas"]["SelfServiceRole"];
                        show_api_key?: components["schemas"]["SelfServiceRole"];
                        show_logs_for_all_users?: components["schemas"]["SelfServiceRole"];
                        /**
                         * @default 1
                         * @enum {number}
                         */
                        version?: 1;
                    } | null;
                };
            };
            smart_group_policies?: components["schemas"]["SmartGroupPolicies"];
            tags?: string[];
            transformations?: components["schemas"]["Transformations"];
        };
        /**
         * Detection
         * @description Which content an app detects, and the action for each category.
         */
        Detection: {
            agent_purpose?: string;
            category_actions?: {
                [key: string]: "monitor" | "partial-redact" | "redact" | "block";
            };
            category_scopes?: {
                [key: string]: "request" | "response" | "both";
            };
            category_sensitivities?: {
                [key: string]: string[];
            };
            custom_definitions?: {
                /** @enum {unknown} */
                action?: "monitor" | "partial-redact" | "redact" | "block";
                definition_id: string;
                /** @default true */
                enabled?: boolean;
                /** @enum {unknown} */
                scope?: "request" | "response" | "both";
                /** @enum {unknown} */
                sensitivity?: "low" | "medium" | "high";
            }[];
            /** @enum {unknown} */
            data_risk_action?: "monitor" | "partial-redact" | "redact" | "block";
            edm_pattern_sensitivities?: {
                [key: string]: "low" | "medium" | "high";
            };
            enabled_categories?: {
                [key: string]: boolean;
            };
            guardian_agent?: {
                coding_helpers?: {
                    dependency_security_check?: boolean;
                    enabled?: boolean;
                    latest_version_suggestions?: boolean;
                };
                enabled?: boolean;
                task_adherence?: {
                    /** @enum {unknown} */
                    action?: "nudge" | "block";
                    enabled?: boolean;
                    /** @enum {unknown} */
                    sensitivity?: "low" | "medium" | "high";
                };
            };
            guardian_agent_prompt?: string;
            /** @enum {unknown} */
            hallucination_check_action?: "block" | "monitor";
            hallucination_check_risk_level?: string;
            hallucination_check_score_threshold?: number;
            is_hallucination_check_enabled?: boolean;
            scan_encoded_images?: boolean;
            /** @enum {unknown} */
            scan_encoded_images_scope?: "request" | "response" | "both";
            scan_images?: boolean;
            /** @enum {unknown} */
            scan_images_scope?: "request" | "response" | "both";
            sub_category_actions?: {
                [key: string]: {
                    [key: string]: "monitor" | "partial-redact" | "redact" | "block";
                };
            };
            sub_category_sensitivities?: {
                [key: string]: {
                    [key: string]: string;
                };
            };
        };
        /**
         * Error
         * @description An error. Programs decide by `code`; `message` is for users.
         */
        Error: {
            error: {
                code: string;
                message: string;
                operation_id?: string;
            };
            request_id: string;
        };
        /**
         * Limits
         * @description Rate, token and budget limits of an app.
         */
        Limits: {
            concurrency_per_minute?: number | null;
            model_rate_limits?: {
                concurrency_per_minute?: number | null;
                model: string;
                provider_label: string;
                rate_limit?: {
                    /** @enum {unknown} */
                    duration: "minute" | "hour" | "day";
                    value: number;
                } | null;
                timeout?: number | null;
                token_limits?: {
                    input?: {
                        /** @enum {unknown} */
                        duration: "minute" | "hour" | "day";
                        value: number;
                    } | null;
                    max_per_request?: number | null;
                    output?: {
                        /** @enum {unknown} */
                        duration: "minute" | "hour" | "day";
                        value: number;
                    } | null;
                };
            }[];
            rate_limit?: {
                /** @enum {unknown} */
                duration: "minute" | "hour" | "day";
                value: number;
            } | null;
            rate_limit_per_minute?: number;
            timeout?: number | null;
            token_limits?: {
                input?: {
                    /** @enum {unknown} */
                    duration: "minute" | "hour" | "day";
                    value: number;
                } | null;
                max_per_request?: number | null;
                output?: {
                    /** @enum {unknown} */
                    duration: "minute" | "hour" | "day";
                    value: number;
                } | null;
            };
        };
        /**
         * Provider
         * @description A shared provider, without secrets.
         */
        Provider: {
            /** @description Unix seconds, possibly with a fraction */
            created_at: number;
            credential_configured: boolean;
            enabled: boolean;
            label: string;
            model_costs: {
                [key: string]: {
                    cache_per_1m?: number | null;
                    input_per_1m?: number | null;
                    output_per_1m?: number | null;
                } | null;
            };
            /** @enum {unknown} */
            provider_name: "vendorA" | "vendorB_vendorA" | "general" | "gw_ai" | "vendorC" | "vendorC_messages" | "vendorC_messages_vendorG" | "vendorC_messages_vendorB" | "vendorD" | "vendorE_ai" | "vendorE_chatcompletions" | "vendorF" | "vendorA_responses" | "vendorA_responses_vendorB" | "vendorF_responses" | "vendorA_assistants" | "vendorA_assistants_vendorB" | "vendorA_realtime" | "vendorA_realtime_vendorB" | "vendorG" | "vendorG_embeddings" | "vendorH_rerank" | "vendorG_rerank" | "vendorI_rerank" | "vendorJ_rerank" | "general_rerank" | "vendorK";
            provider_settings: components["schemas"]["ProviderSettingsRead"];
            selected_models: string[];
            /** @description Unix seconds, possibly with a fraction */
            updated_at: number;
            /** @description The ETag verbatim, with its quotes. */
            version: string;
        };
        /**
         * ProviderInput
         * @description A new shared provider with its credentials.
         */
        ProviderInput: {
            enabled?: boolean;
            /** @description 1 to 200 characters, not only white space or invisible ones */
            label: string;
            model_costs?: {
                [key: string]: {
                    cache_per_1m?: number | null;
                    input_per_1m?: number | null;
                    output_per_1m?: number | null;
                } | null;
            };
            /** @enum {unknown} */
            provider_name: "vendorA" | "vendorB_vendorA" | "general" | "gw_ai" | "vendorC" | "vendorC_messages" | "vendorC_messages_vendorG" | "vendorC_messages_vendorB" | "vendorD" | "vendorE_ai" | "vendorE_chatcompletions" | "vendorF" | "vendorA_responses" | "vendorA_responses_vendorB" | "vendorF_responses" | "vendorA_assistants" | "vendorA_assistants_vendorB" | "vendorA_realtime" | "vendorA_realtime_vendorB" | "vendorG" | "vendorG_embeddings" | "vendorH_rerank" | "vendorG_rerank" | "vendorI_rerank" | "vendorJ_rerank" | "general_rerank" | "vendorK";
            provider_settings?: components["schemas"]["ProviderSettings"];
            selected_models?: string[];
        };
        /**
         * ProviderSettings
         * @description Connection settings and credentials of a provider.
         */
        ProviderSettings: {
            api_key?: string;
            /** @enum {unknown} */
            auth_type?: "api_key" | "express" | "service_account" | "adc" | "gateway_user_principal" | "user_principal" | "session_principal" | "instance_principal" | "resource_principal";
            base_url?: string;
            service_account_json?: string;
            vendorB_api_version?: string;
            vendorB_endpoint?: string;
            vendorC_version?: string;
            vendorE_project_id?: string;
            vendorE_region?: string;
            vendorF_compartment_id?: string;
            vendorF_fingerprint?: string;
            vendorF_private_key?: string;
            vendorF_private_key_passphrase?: string;
            vendorF_project_id?: string;
            vendorF_region?: string;
            vendorF_session_token?: string;
            vendorF_tenancy_id?: string;
            vendorF_user_id?: string;
            vendorG_access_key?: string;
            /** @enum {unknown} */
            vendorG_auth_mode?: "static" | "assume_role";
            vendorG_external_id?: string;
            vendorG_region?: string;
            vendorG_role_arn?: string;
            vendorG_role_session_name?: string;
            vendorG_secret_key?: string;
            vendorG_session_duration_seconds?: number;
            vendorG_session_token?: string;
        };
        /**
         * ProviderSettingsPatch
         * @description Changes of the settings of a provider; null removes a setting.
         */
        ProviderSettingsPatch: {
            api_key?: string | null;
            auth_type?: ("api_key" | "express" | "service_account" | "adc" | "gateway_user_principal" | "user_principal" | "session_principal" | "instance_principal" | "resource_principal") | null;
            base_url?: string | null;
            service_account_json?: string | null;
            vendorB_api_version?: string | null;
            vendorB_endpoint?: string | null;
            vendorC_version?: string | null;
            vendorE_project_id?: string | null;
            vendorE_region?: string | null;
            vendorF_compartment_id?: string | null;
            vendorF_fingerprint?: string | null;
            vendorF_private_key?: string | null;
            vendorF_private_key_passphrase?: string | null;
            vendorF_project_id?: string | null;
            vendorF_region?: string | null;
            vendorF_session_token?: string | null;
            vendorF_tenancy_id?: string | null;
            vendorF_user_id?: string | null;
            vendorG_access_key?: string | null;
            vendorG_auth_mode?: ("static" | "assume_role") | null;
            vendorG_external_id?: string | null;
            vendorG_region?: string | null;
            vendorG_role_arn?: string | null;
            vendorG_role_session_name?: string | null;
            vendorG_secret_key?: string | null;
            vendorG_session_duration_seconds?: number | null;
            vendorG_session_token?: string | null;
        };
        /**
         * ProviderSettingsRead
         * @description Settings of a provider that are not secret.
         */
        ProviderSettingsRead: {
            /** @enum {unknown} */
            auth_type?: "api_key" | "express" | "service_account" | "adc" | "gateway_user_principal" | "user_principal" | "session_principal" | "instance_principal" | "resource_principal";
            base_url?: string;
            vendorB_api_version?: string;
            vendorB_endpoint?: string;
            vendorC_version?: string;
            vendorE_project_id?: string;
            vendorE_region?: string;
            vendorF_compartment_id?: string;
            vendorF_fingerprint?: string;
            vendorF_project_id?: string;
            vendorF_region?: string;
            vendorF_tenancy_id?: string;
            vendorF_user_id?: string;
            /** @enum {unknown} */
            vendorG_auth_mode?: "static" | "assume_role";
            vendorG_region?: string;
            vendorG_role_arn?: string;
            vendorG_role_session_name?: string;
            vendorG_session_duration_seconds?: number;
        };
        /**
         * Routing
         * @description How requests of an app are distributed over providers.
         */
        Routing: {
            custom_routing?: {
                /** @enum {unknown} */
                group?: "chat_completion" | "vendorC_messages" | "vendorE_ai" | "responses" | "vendorG_runtime";
                is_published: boolean;
                models: {
                    credential_source?: string;
                    label?: string;
                    model: string;
                    provider_name: string;
                }[];
                /** @enum {unknown} */
                type: "Low_Context_Request" | "Medium_Context_Request" | "High_Context_Request";
            }[];
            routing_groups?: {
                /** @enum {unknown} */
                group_kind?: "chat_completion" | "vendorC_messages" | "vendorE_ai" | "responses" | "realtime" | "vendorG_runtime";
                group_name: string;
                models: {
                    credential_source?: string;
                    model_name: string;
                    provider_name: string;
                    weight: number;
                }[];
            }[];
            routing_thresholds?: {
                low_max_words: number;
                medium_max_words: number;
            };
            token_based_routing_groups?: {
                /** @enum {unknown} */
                group_kind?: "chat_completion" | "vendorC_messages" | "vendorE_ai" | "responses" | "realtime" | "vendorG_runtime";
                group_name: string;
                models: {
                    credential_source?: string;
                    model_name: string;
                    provider_name: string;
                    weight: number;
                }[];
            }[];
        };
        /**
         * SelfServiceRole
         * @description Users that have a role in the self-service of an app.
         */
        SelfServiceRole: {
            /** @default false */
            allow_all?: boolean;
            allow_emails?: string[];
            allow_smart_groups?: string[];
            deny_emails?: string[];
            deny_smart_groups?: string[];
        };
        /**
         * SmartGroupPolicies
         * @description Actions of an app for smart groups.
         */
        SmartGroupPolicies: {
            actions?: {
                /** @enum {unknown} */
                data_risk_action?: "monitor" | "partial-redact" | "redact" | "block";
                /** @enum {unknown} */
                hallucination_check_action?: "block" | "monitor";
            };
            category_actions?: {
                [key: string]: "monitor" | "partial-redact" | "redact" | "block";
            };
            category_scopes?: {
                [key: string]: "request" | "response" | "both";
            };
            category_sensitivities?: {
                [key: string]: string[];
            };
            enabled?: boolean;
            enabled_categories?: {
                [key: string]: boolean;
            };
            group_name: string;
            sub_category_actions?: {
                [key: string]: {
                    [key: string]: "monitor" | "partial-redact" | "redact" | "block";
                };
            };
            sub_category_sensitivities?: {
                [key: string]: {
                    [key: string]: string;
                };
            };
        }[];
        /**
         * Transformations
         * @description Changes that an app makes to requests and responses.
         */
        Transformations: {
            token_saving?: {
                html_to_text?: boolean;
                markdown_to_text?: boolean;
                smart_json_compression?: boolean;
                text_compression?: boolean;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listManagementKeys: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A whole number from 1 to 200. */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the tenant. */
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "key_id": "01900000-0000-7000-8000-000000000001",
                     *           "name": "Example App",
                     *           "scopes": [
                     *             "read"
                     *           ],
                     *           "status": "active",
                     *           "fingerprint": "example",
                     *           "creator": {
                     *             "kind": "example",
                     *             "id": "01900000-0000-7000-8000-000000000001",
                     *             "email": "ada@example.com"
                     *           },
                     *           "created_at": 1769860800,
                     *           "expires_at": 1769860800,
                     *           "revoked_at": 1769860800,
                     *           "last_used_at": 1769860800,
                     *           "last_used_from": "example",
                     *           "version": "\"3\""
                     *         }
                     *       ],
                     *       "next_cursor": "eyJhZnRlciI6MX0",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        items: {
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            creator: {
                                email: string | null;
                                id: string;
                                kind: string;
                            };
                            expires_at: number | null;
                            fingerprint: string;
                            /**
                             * Format: uuid
                             * @description a UUID
                             */
                            key_id: string;
                            last_used_at: number | null;
                            last_used_from: string | null;
                            name: string;
                            revoked_at: number | null;
                            scopes: ("read" | "config:write" | "providers:write" | "credentials:write" | "credentials:read")[];
                            /** @enum {unknown} */
                            status: "active" | "expired" | "revoked";
                            /** @description The ETag verbatim, with its quotes. */
                            version: string;
                        }[];
                        next_cursor: string | null;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    issueManagementKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and request again within 24 hours give the same answer, byte for byte: the `request_id` in its body is that of the first request, while the header `X-Request-ID` names the repeat. */
                "Idempotency-Key"?: string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the tenant. */
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example App",
                 *       "scopes": [
                 *         "read"
                 *       ]
                 *     }
                 */
                "application/json": {
                    expires_at?: string | null;
                    /** @description 1 to 200 characters, not only white space or invisible ones */
                    name: string;
                    scopes: ("read" | "config:write" | "providers:write" | "credentials:write" | "credentials:read")[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "scopes": [
                     *           "read"
                     *         ],
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": 1769860800,
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\"",
                     *         "secret": "secret-value"
                     *       },
                     *       "secret": "secret-value",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: {
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            creator: {
                                email: string | null;
                                id: string;
                                kind: string;
                            };
                            expires_at: number | null;
                            fingerprint: string;
                            /**
                             * Format: uuid
                             * @description a UUID
                             */
                            key_id: string;
                            last_used_at: number | null;
                            last_used_from: string | null;
                            name: string;
                            revoked_at: number | null;
                            scopes: ("read" | "config:write" | "providers:write" | "credentials:write" | "credentials:read")[];
                            secret: string;
                            /** @enum {unknown} */
                            status: "active" | "expired" | "revoked";
                            /** @description The ETag verbatim, with its quotes. */
                            version: string;
                        };
                        request_id: string;
                        secret: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeManagementKey: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the key. */
                key_id: string;
                /** @description ID of the tenant. */
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "scopes": [
                     *           "read"
                     *         ],
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": 1769860800,
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: {
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            creator: {
                                email: string | null;
                                id: string;
                                kind: string;
                            };
                            expires_at: number | null;
                            fingerprint: string;
                            /**
                             * Format: uuid
                             * @description a UUID
                             */
                            key_id: string;
                            last_used_at: number | null;
                            last_used_from: string | null;
                            name: string;
                            revoked_at: number | null;
                            scopes: ("read" | "config:write" | "providers:write" | "credentials:write" | "credentials:read")[];
                            /** @enum {unknown} */
                            status: "active" | "expired" | "revoked";
                            /** @description The ETag verbatim, with its quotes. */
                            version: string;
                        };
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateManagementKey: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the key. */
                key_id: string;
                /** @description ID of the tenant. */
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example App"
                 *     }
                 */
                "application/json": {
                    expires_at?: string | null;
                    /** @description 1 to 200 characters, not only white space or invisible ones */
                    name?: string;
                    scopes?: ("read" | "config:write" | "providers:write" | "credentials:write" | "credentials:read")[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "scopes": [
                     *           "read"
                     *         ],
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": 1769860800,
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: {
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            creator: {
                                email: string | null;
                                id: string;
                                kind: string;
                            };
                            expires_at: number | null;
                            fingerprint: string;
                            /**
                             * Format: uuid
                             * @description a UUID
                             */
                            key_id: string;
                            last_used_at: number | null;
                            last_used_from: string | null;
                            name: string;
                            revoked_at: number | null;
                            scopes: ("read" | "config:write" | "providers:write" | "credentials:write" | "credentials:read")[];
                            /** @enum {unknown} */
                            status: "active" | "expired" | "revoked";
                            /** @description The ETag verbatim, with its quotes. */
                            version: string;
                        };
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getManagementSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the tenant. */
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "settings": {
                     *         "tenant_id": "01900000-0000-7000-8000-000000000001",
                     *         "enabled": true,
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        request_id: string;
                        settings: {
                            enabled: boolean;
                            /**
                             * Format: uuid
                             * @description a UUID
                             */
                            tenant_id: string;
                            /** @description The ETag verbatim, with its quotes. */
                            version: string;
                        };
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateManagementSettings: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the tenant. */
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    enabled: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "settings": {
                     *         "tenant_id": "01900000-0000-7000-8000-000000000001",
                     *         "enabled": true,
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        request_id: string;
                        settings: {
                            enabled: boolean;
                            /**
                             * Format: uuid
                             * @description a UUID
                             */
                            tenant_id: string;
                            /** @description The ETag verbatim, with its quotes. */
                            version: string;
                        };
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAppByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateAppByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "detection": {}
                 *     }
                 */
                "application/json": components["schemas"]["AppPatch"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "inactive_under_gwql": {
                     *         "fields": [
                     *           "example"
                     *         ],
                     *         "active_revision": "example"
                     *       },
                     *       "warnings": [
                     *         {
                     *           "code": "example",
                     *           "message": "Example App was blocked."
                     *         }
                     *       ],
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        inactive_under_gwql?: {
                            active_revision: string | null;
                            fields: string[];
                        };
                        request_id: string;
                        warnings?: {
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAppKeysByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A whole number from 1 to 200. */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "key_id": "01900000-0000-7000-8000-000000000001",
                     *           "name": "Example App",
                     *           "status": "active",
                     *           "fingerprint": "example",
                     *           "creator": {
                     *             "kind": "example",
                     *             "id": "01900000-0000-7000-8000-000000000001",
                     *             "email": "ada@example.com"
                     *           },
                     *           "created_at": 1769860800,
                     *           "expires_at": "2026-01-31T12:00:00Z",
                     *           "revoked_at": 1769860800,
                     *           "last_used_at": 1769860800,
                     *           "last_used_from": "example",
                     *           "version": "\"3\""
                     *         }
                     *       ],
                     *       "next_cursor": "eyJhZnRlciI6MX0",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AppKey"][];
                        next_cursor: string | null;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    issueAppKeyByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header?: {
                /** @description The same key and request again within 24 hours give the same answer, byte for byte: the `request_id` in its body is that of the first request, while the header `X-Request-ID` names the repeat. */
                "Idempotency-Key"?: string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example App"
                 *     }
                 */
                "application/json": {
                    expires_at?: string | null;
                    /** @description 1 to 200 characters, not only white space or invisible ones */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": "2026-01-31T12:00:00Z",
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\"",
                     *         "secret": "secret-value"
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: components["schemas"]["AppKeyIssued"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAppKeyByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": "2026-01-31T12:00:00Z",
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: components["schemas"]["AppKey"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeAppKeyByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": "2026-01-31T12:00:00Z",
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: components["schemas"]["AppKey"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateAppKeyByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expires_at": "2026-01-31T12:00:00Z"
                 *     }
                 */
                "application/json": {
                    expires_at: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": "2026-01-31T12:00:00Z",
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: components["schemas"]["AppKey"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revealAppKeyByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": "2026-01-31T12:00:00Z",
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\"",
                     *         "secret": "secret-value"
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: components["schemas"]["AppKeyIssued"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAppPromptsByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A whole number from 1 to 200. */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "prompt_id": "01900000-0000-7000-8000-000000000001",
                     *           "content": "example",
                     *           "created_at": 1769860800,
                     *           "updated_at": 1769860800
                     *         }
                     *       ],
                     *       "next_cursor": "eyJhZnRlciI6MX0",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        items: {
                            content: string;
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            prompt_id: string;
                            /** @description Unix seconds, possibly with a fraction */
                            updated_at: number;
                        }[];
                        next_cursor: string | null;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAppPromptByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the prompt. */
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "prompt": {
                     *         "prompt_id": "01900000-0000-7000-8000-000000000001",
                     *         "content": "example",
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800
                     *       },
                     *       "app_version": "example",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        /** @description The ETag verbatim, with its quotes. */
                        app_version: string;
                        prompt: {
                            content: string;
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            prompt_id: string;
                            /** @description Unix seconds, possibly with a fraction */
                            updated_at: number;
                        };
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    saveAppPromptByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the prompt. */
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "example"
                 *     }
                 */
                "application/json": {
                    content: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "prompt": {
                     *         "prompt_id": "01900000-0000-7000-8000-000000000001",
                     *         "content": "example",
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800
                     *       },
                     *       "app_version": "example",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        /** @description The ETag verbatim, with its quotes. */
                        app_version: string;
                        prompt: {
                            content: string;
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            prompt_id: string;
                            /** @description Unix seconds, possibly with a fraction */
                            updated_at: number;
                        };
                        request_id: string;
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "prompt": {
                     *         "prompt_id": "01900000-0000-7000-8000-000000000001",
                     *         "content": "example",
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800
                     *       },
                     *       "app_version": "example",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        /** @description The ETag verbatim, with its quotes. */
                        app_version: string;
                        prompt: {
                            content: string;
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            prompt_id: string;
                            /** @description Unix seconds, possibly with a fraction */
                            updated_at: number;
                        };
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteAppPromptByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the prompt. */
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "prompt": null,
                     *       "prompt_id": "01900000-0000-7000-8000-000000000001",
                     *       "app_version": "example",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        /** @description The ETag verbatim, with its quotes. */
                        app_version: string;
                        prompt: null;
                        prompt_id: string;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    convertAppProvidersByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider_labels": [
                 *         "example"
                 *       ]
                 *     }
                 */
                "application/json": {
                    provider_labels: string[];
                    routing?: components["schemas"]["Routing"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "inactive_under_gwql": {
                     *         "fields": [
                     *           "example"
                     *         ],
                     *         "active_revision": "example"
                     *       },
                     *       "warnings": [
                     *         {
                     *           "code": "example",
                     *           "message": "Example App was blocked."
                     *         }
                     *       ],
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        inactive_under_gwql?: {
                            active_revision: string | null;
                            fields: string[];
                        };
                        request_id: string;
                        warnings?: {
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAppProvidersByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider_labels": [
                     *         "example"
                     *       ],
                     *       "version": "\"3\"",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        provider_labels: string[];
                        request_id: string;
                        /** @description The ETag verbatim, with its quotes. */
                        version: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    attachAppProviderByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Label of the provider. */
                label: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "primary": false
                 *     }
                 */
                "application/json": {
                    /** @default false */
                    primary?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "inactive_under_gwql": {
                     *         "fields": [
                     *           "example"
                     *         ],
                     *         "active_revision": "example"
                     *       },
                     *       "warnings": [
                     *         {
                     *           "code": "example",
                     *           "message": "Example App was blocked."
                     *         }
                     *       ],
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        inactive_under_gwql?: {
                            active_revision: string | null;
                            fields: string[];
                        };
                        request_id: string;
                        warnings?: {
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    detachAppProviderByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Label of the provider. */
                label: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "inactive_under_gwql": {
                     *         "fields": [
                     *           "example"
                     *         ],
                     *         "active_revision": "example"
                     *       },
                     *       "warnings": [
                     *         {
                     *           "code": "example",
                     *           "message": "Example App was blocked."
                     *         }
                     *       ],
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        inactive_under_gwql?: {
                            active_revision: string | null;
                            fields: string[];
                        };
                        request_id: string;
                        warnings?: {
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAppVersionsByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A whole number from 1 to 200. */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "version_id": "01900000-0000-7000-8000-000000000001",
                     *           "created_at": 1769860800,
                     *           "actor": {
                     *             "kind": "example",
                     *             "id": "01900000-0000-7000-8000-000000000001",
                     *             "email": "ada@example.com"
                     *           },
                     *           "operation": "example",
                     *           "changed": [
                     *             "example"
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": "eyJhZnRlciI6MX0",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        items: {
                            actor: {
                                email: string | null;
                                id: string;
                                kind: string;
                            };
                            changed: string[];
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            operation: string;
                            /**
                             * Format: uuid
                             * @description a UUID
                             */
                            version_id: string;
                        }[];
                        next_cursor: string | null;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAppVersionByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the configuration version. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version_record": {
                     *         "version_id": "01900000-0000-7000-8000-000000000001",
                     *         "created_at": 1769860800,
                     *         "actor": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "operation": "example",
                     *         "changed": [
                     *           "example"
                     *         ],
                     *         "previous_config": {},
                     *         "new_config": {}
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        request_id: string;
                        version_record: {
                            actor: {
                                email: string | null;
                                id: string;
                                kind: string;
                            };
                            changed: string[];
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            new_config: {
                                [key: string]: unknown;
                            };
                            operation: string;
                            previous_config: {
                                [key: string]: unknown;
                            };
                            /**
                             * Format: uuid
                             * @description a UUID
                             */
                            version_id: string;
                        };
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rollbackAppVersionByQuery: {
        parameters: {
            query: {
                /** @description Name of the app. */
                app_name: string;
            };
            header: {
                /** @description The same key and request again within 24 hours give the same answer, byte for byte: the `request_id` in its body is that of the first request, while the header `X-Request-ID` names the repeat. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the configuration version. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "warnings": [
                     *         {
                     *           "code": "example",
                     *           "message": "Example App was blocked."
                     *         }
                     *       ],
                     *       "inactive_under_gwql": {
                     *         "fields": [
                     *           "example"
                     *         ],
                     *         "active_revision": "example"
                     *       },
                     *       "operation_id": "01900000-0000-7000-8000-000000000001",
                     *       "state": "example",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        inactive_under_gwql?: {
                            active_revision: string | null;
                            fields: string[];
                        };
                        /**
                         * Format: uuid
                         * @description a UUID
                         */
                        operation_id: string;
                        request_id: string;
                        state: string;
                        warnings: {
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApps: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description Only apps that are enabled, or that are disabled. */
                enabled?: "true" | "false";
                /** @description A whole number from 1 to 200. */
                limit?: string;
                /** @description 1 to 1000 characters, not only white space or invisible ones. */
                name?: string;
                /** @description Only apps with this tag. */
                tag?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "app_id": "01900000-0000-7000-8000-000000000001",
                     *           "name": "Example App",
                     *           "mode": "gateway",
                     *           "enabled": true,
                     *           "version": "\"3\"",
                     *           "provider_labels": [
                     *             "example"
                     *           ],
                     *           "tags": [
                     *             "example"
                     *           ],
                     *           "policy_authority": {
                     *             "enabled": true,
                     *             "active_revision": "example",
                     *             "active_checksum": "example"
                     *           },
                     *           "inline_providers": [
                     *             {
                     *               "provider_name": "example",
                     *               "provider_settings": {}
                     *             }
                     *           ],
                     *           "created_at": 1769860800,
                     *           "updated_at": 1769860800,
                     *           "detection": {
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "custom_definitions": [
                     *               {
                     *                 "definition_id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ],
                     *             "data_risk_action": "monitor",
                     *             "edm_pattern_sensitivities": {},
                     *             "guardian_agent": {
                     *               "enabled": true,
                     *               "coding_helpers": {},
                     *               "task_adherence": {}
                     *             },
                     *             "agent_purpose": "example",
                     *             "guardian_agent_prompt": "example",
                     *             "hallucination_check_action": "block",
                     *             "hallucination_check_risk_level": "example",
                     *             "hallucination_check_score_threshold": 1,
                     *             "is_hallucination_check_enabled": true,
                     *             "scan_images": true,
                     *             "scan_encoded_images": true,
                     *             "scan_images_scope": "request",
                     *             "scan_encoded_images_scope": "request"
                     *           },
                     *           "limits": {
                     *             "concurrency_per_minute": 1,
                     *             "timeout": 1,
                     *             "rate_limit_per_minute": 1,
                     *             "rate_limit": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "token_limits": {
                     *               "max_per_request": 1,
                     *               "input": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "output": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               }
                     *             },
                     *             "model_rate_limits": [
                     *               {
                     *                 "provider_label": "example",
                     *                 "model": "example-model"
                     *               }
                     *             ]
                     *           },
                     *           "routing": {
                     *             "routing_groups": [
                     *               {
                     *                 "group_name": "example",
                     *                 "models": [
                     *                   {
                     *                     "provider_name": "example",
                     *                     "model_name": "example",
                     *                     "weight": 1
                     *                   }
                     *                 ]
                     *               }
                     *             ],
                     *             "token_based_routing_groups": [
                     *               {
                     *                 "group_name": "example",
                     *                 "models": [
                     *                   {
                     *                     "provider_name": "example",
                     *                     "model_name": "example",
                     *                     "weight": 1
                     *                   }
                     *                 ]
                     *               }
                     *             ],
                     *             "custom_routing": [
                     *               {
                     *                 "type": "Low_Context_Request",
                     *                 "is_published": true,
                     *                 "models": [
                     *                   {
                     *                     "provider_name": "example",
                     *                     "model": "example-model"
                     *                   }
                     *                 ]
                     *               }
                     *             ],
                     *             "routing_thresholds": {
                     *               "low_max_words": 1,
                     *               "medium_max_words": 1
                     *             }
                     *           },
                     *           "access": {
                     *             "allowed_source_ips": [
                     *               "192.0.2.10"
                     *             ],
                     *             "allowed_user_domains": [
                     *               "example"
                     *             ],
                     *             "allowed_user_emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "identity_token_headers": [
                     *               "example"
                     *             ],
                     *             "enforce_conversation_id": true,
                     *             "enforce_identity": true,
                     *             "identity_header_mode": true,
                     *             "identity_token_oid_fallback": true,
                     *             "jwt_auth": {}
                     *           },
                     *           "transformations": {
                     *             "token_saving": {
                     *               "smart_json_compression": true,
                     *               "html_to_text": true,
                     *               "markdown_to_text": true,
                     *               "text_compression": true
                     *             }
                     *           },
                     *           "self_service": {
                     *             "enable_self_service": true,
                     *             "self_service": {
                     *               "access_control": {}
                     *             }
                     *           },
                     *           "prompts": {
                     *             "require_system_from_store": true
                     *           },
                     *           "smart_group_policies": [
                     *             {
                     *               "group_name": "example",
                     *               "enabled": true,
                     *               "enabled_categories": {},
                     *               "category_actions": {},
                     *               "category_scopes": {},
                     *               "category_sensitivities": {},
                     *               "sub_category_actions": {},
                     *               "sub_category_sensitivities": {},
                     *               "actions": {}
                     *             }
                     *           ],
                     *           "alerting": {
                     *             "app_level": {},
                     *             "provider_level": {},
                     *             "channels": {}
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "eyJhZnRlciI6MX0",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["App"][];
                        next_cursor: string | null;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and request again within 24 hours give the same answer, byte for byte: the `request_id` in its body is that of the first request, while the header `X-Request-ID` names the repeat. */
                "Idempotency-Key"?: string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example App"
                 *     }
                 */
                "application/json": components["schemas"]["AppCreate"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": "2026-01-31T12:00:00Z",
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\"",
                     *         "secret": "secret-value"
                     *       },
                     *       "warnings": [
                     *         {
                     *           "code": "example",
                     *           "message": "Example App was blocked."
                     *         }
                     *       ],
                     *       "inactive_under_gwql": {
                     *         "fields": [
                     *           "example"
                     *         ],
                     *         "active_revision": "example"
                     *       },
                     *       "operation_id": "01900000-0000-7000-8000-000000000001",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        inactive_under_gwql?: {
                            active_revision: string | null;
                            fields: string[];
                        };
                        key: components["schemas"]["AppKeyIssued"];
                        /**
                         * Format: uuid
                         * @description a UUID
                         */
                        operation_id: string;
                        request_id: string;
                        warnings: {
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateApp: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "detection": {}
                 *     }
                 */
                "application/json": components["schemas"]["AppPatch"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "inactive_under_gwql": {
                     *         "fields": [
                     *           "example"
                     *         ],
                     *         "active_revision": "example"
                     *       },
                     *       "warnings": [
                     *         {
                     *           "code": "example",
                     *           "message": "Example App was blocked."
                     *         }
                     *       ],
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        inactive_under_gwql?: {
                            active_revision: string | null;
                            fields: string[];
                        };
                        request_id: string;
                        warnings?: {
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAppKeys: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A whole number from 1 to 200. */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "key_id": "01900000-0000-7000-8000-000000000001",
                     *           "name": "Example App",
                     *           "status": "active",
                     *           "fingerprint": "example",
                     *           "creator": {
                     *             "kind": "example",
                     *             "id": "01900000-0000-7000-8000-000000000001",
                     *             "email": "ada@example.com"
                     *           },
                     *           "created_at": 1769860800,
                     *           "expires_at": "2026-01-31T12:00:00Z",
                     *           "revoked_at": 1769860800,
                     *           "last_used_at": 1769860800,
                     *           "last_used_from": "example",
                     *           "version": "\"3\""
                     *         }
                     *       ],
                     *       "next_cursor": "eyJhZnRlciI6MX0",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AppKey"][];
                        next_cursor: string | null;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    issueAppKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and request again within 24 hours give the same answer, byte for byte: the `request_id` in its body is that of the first request, while the header `X-Request-ID` names the repeat. */
                "Idempotency-Key"?: string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example App"
                 *     }
                 */
                "application/json": {
                    expires_at?: string | null;
                    /** @description 1 to 200 characters, not only white space or invisible ones */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": "2026-01-31T12:00:00Z",
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\"",
                     *         "secret": "secret-value"
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: components["schemas"]["AppKeyIssued"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAppKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
                /** @description ID of the key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": "2026-01-31T12:00:00Z",
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: components["schemas"]["AppKey"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeAppKey: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
                /** @description ID of the key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": "2026-01-31T12:00:00Z",
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: components["schemas"]["AppKey"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateAppKey: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
                /** @description ID of the key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expires_at": "2026-01-31T12:00:00Z"
                 *     }
                 */
                "application/json": {
                    expires_at: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": "2026-01-31T12:00:00Z",
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: components["schemas"]["AppKey"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revealAppKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
                /** @description ID of the key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "key_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "status": "active",
                     *         "fingerprint": "example",
                     *         "creator": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "created_at": 1769860800,
                     *         "expires_at": "2026-01-31T12:00:00Z",
                     *         "revoked_at": 1769860800,
                     *         "last_used_at": 1769860800,
                     *         "last_used_from": "example",
                     *         "version": "\"3\"",
                     *         "secret": "secret-value"
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        key: components["schemas"]["AppKeyIssued"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAppPrompts: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A whole number from 1 to 200. */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "prompt_id": "01900000-0000-7000-8000-000000000001",
                     *           "content": "example",
                     *           "created_at": 1769860800,
                     *           "updated_at": 1769860800
                     *         }
                     *       ],
                     *       "next_cursor": "eyJhZnRlciI6MX0",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        items: {
                            content: string;
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            prompt_id: string;
                            /** @description Unix seconds, possibly with a fraction */
                            updated_at: number;
                        }[];
                        next_cursor: string | null;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAppPrompt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
                /** @description ID of the prompt. */
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "prompt": {
                     *         "prompt_id": "01900000-0000-7000-8000-000000000001",
                     *         "content": "example",
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800
                     *       },
                     *       "app_version": "example",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        /** @description The ETag verbatim, with its quotes. */
                        app_version: string;
                        prompt: {
                            content: string;
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            prompt_id: string;
                            /** @description Unix seconds, possibly with a fraction */
                            updated_at: number;
                        };
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    saveAppPrompt: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
                /** @description ID of the prompt. */
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "example"
                 *     }
                 */
                "application/json": {
                    content: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "prompt": {
                     *         "prompt_id": "01900000-0000-7000-8000-000000000001",
                     *         "content": "example",
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800
                     *       },
                     *       "app_version": "example",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        /** @description The ETag verbatim, with its quotes. */
                        app_version: string;
                        prompt: {
                            content: string;
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            prompt_id: string;
                            /** @description Unix seconds, possibly with a fraction */
                            updated_at: number;
                        };
                        request_id: string;
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "prompt": {
                     *         "prompt_id": "01900000-0000-7000-8000-000000000001",
                     *         "content": "example",
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800
                     *       },
                     *       "app_version": "example",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        /** @description The ETag verbatim, with its quotes. */
                        app_version: string;
                        prompt: {
                            content: string;
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            prompt_id: string;
                            /** @description Unix seconds, possibly with a fraction */
                            updated_at: number;
                        };
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteAppPrompt: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
                /** @description ID of the prompt. */
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "prompt": null,
                     *       "prompt_id": "01900000-0000-7000-8000-000000000001",
                     *       "app_version": "example",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        /** @description The ETag verbatim, with its quotes. */
                        app_version: string;
                        prompt: null;
                        prompt_id: string;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    convertAppProviders: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider_labels": [
                 *         "example"
                 *       ]
                 *     }
                 */
                "application/json": {
                    provider_labels: string[];
                    routing?: components["schemas"]["Routing"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "inactive_under_gwql": {
                     *         "fields": [
                     *           "example"
                     *         ],
                     *         "active_revision": "example"
                     *       },
                     *       "warnings": [
                     *         {
                     *           "code": "example",
                     *           "message": "Example App was blocked."
                     *         }
                     *       ],
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        inactive_under_gwql?: {
                            active_revision: string | null;
                            fields: string[];
                        };
                        request_id: string;
                        warnings?: {
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAppProviders: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider_labels": [
                     *         "example"
                     *       ],
                     *       "version": "\"3\"",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        provider_labels: string[];
                        request_id: string;
                        /** @description The ETag verbatim, with its quotes. */
                        version: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    attachAppProvider: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
                /** @description Label of the provider. */
                label: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "primary": false
                 *     }
                 */
                "application/json": {
                    /** @default false */
                    primary?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "inactive_under_gwql": {
                     *         "fields": [
                     *           "example"
                     *         ],
                     *         "active_revision": "example"
                     *       },
                     *       "warnings": [
                     *         {
                     *           "code": "example",
                     *           "message": "Example App was blocked."
                     *         }
                     *       ],
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        inactive_under_gwql?: {
                            active_revision: string | null;
                            fields: string[];
                        };
                        request_id: string;
                        warnings?: {
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    detachAppProvider: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
                /** @description Label of the provider. */
                label: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "inactive_under_gwql": {
                     *         "fields": [
                     *           "example"
                     *         ],
                     *         "active_revision": "example"
                     *       },
                     *       "warnings": [
                     *         {
                     *           "code": "example",
                     *           "message": "Example App was blocked."
                     *         }
                     *       ],
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        inactive_under_gwql?: {
                            active_revision: string | null;
                            fields: string[];
                        };
                        request_id: string;
                        warnings?: {
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAppVersions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A whole number from 1 to 200. */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "version_id": "01900000-0000-7000-8000-000000000001",
                     *           "created_at": 1769860800,
                     *           "actor": {
                     *             "kind": "example",
                     *             "id": "01900000-0000-7000-8000-000000000001",
                     *             "email": "ada@example.com"
                     *           },
                     *           "operation": "example",
                     *           "changed": [
                     *             "example"
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": "eyJhZnRlciI6MX0",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        items: {
                            actor: {
                                email: string | null;
                                id: string;
                                kind: string;
                            };
                            changed: string[];
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            operation: string;
                            /**
                             * Format: uuid
                             * @description a UUID
                             */
                            version_id: string;
                        }[];
                        next_cursor: string | null;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAppVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
                /** @description ID of the configuration version. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version_record": {
                     *         "version_id": "01900000-0000-7000-8000-000000000001",
                     *         "created_at": 1769860800,
                     *         "actor": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "operation": "example",
                     *         "changed": [
                     *           "example"
                     *         ],
                     *         "previous_config": {},
                     *         "new_config": {}
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        request_id: string;
                        version_record: {
                            actor: {
                                email: string | null;
                                id: string;
                                kind: string;
                            };
                            changed: string[];
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            new_config: {
                                [key: string]: unknown;
                            };
                            operation: string;
                            previous_config: {
                                [key: string]: unknown;
                            };
                            /**
                             * Format: uuid
                             * @description a UUID
                             */
                            version_id: string;
                        };
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rollbackAppVersion: {
        parameters: {
            query?: never;
            header: {
                /** @description The same key and request again within 24 hours give the same answer, byte for byte: the `request_id` in its body is that of the first request, while the header `X-Request-ID` names the repeat. */
                "Idempotency-Key"?: string;
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the app. */
                app_name: string;
                /** @description ID of the configuration version. */
                version_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "warnings": [
                     *         {
                     *           "code": "example",
                     *           "message": "Example App was blocked."
                     *         }
                     *       ],
                     *       "inactive_under_gwql": {
                     *         "fields": [
                     *           "example"
                     *         ],
                     *         "active_revision": "example"
                     *       },
                     *       "operation_id": "01900000-0000-7000-8000-000000000001",
                     *       "state": "example",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app: components["schemas"]["App"];
                        inactive_under_gwql?: {
                            active_revision: string | null;
                            fields: string[];
                        };
                        /**
                         * Format: uuid
                         * @description a UUID
                         */
                        operation_id: string;
                        request_id: string;
                        state: string;
                        warnings: {
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listManagementAuditEvents: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A whole number from 1 to 200. */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "event_id": "01900000-0000-7000-8000-000000000001",
                     *           "actor": {
                     *             "kind": "example",
                     *             "id": "01900000-0000-7000-8000-000000000001",
                     *             "email": "ada@example.com"
                     *           },
                     *           "operation": "example",
                     *           "resource": {
                     *             "kind": "example",
                     *             "id": "01900000-0000-7000-8000-000000000001"
                     *           },
                     *           "request_id": "01900000-0000-7000-8000-000000000001",
                     *           "result": "succeeded",
                     *           "created_at": 1769860800,
                     *           "changes": {}
                     *         }
                     *       ],
                     *       "next_cursor": "eyJhZnRlciI6MX0",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        items: {
                            actor: {
                                email: string | null;
                                id: string;
                                kind: string;
                            };
                            changes: {
                                [key: string]: unknown;
                            };
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            /**
                             * Format: uuid
                             * @description a UUID
                             */
                            event_id: string;
                            operation: string;
                            request_id: string | null;
                            resource: {
                                id: string;
                                kind: string;
                            };
                            /** @enum {unknown} */
                            result: "succeeded" | "failed";
                        }[];
                        next_cursor: string | null;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getManagementAuditEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the event. */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "event": {
                     *         "event_id": "01900000-0000-7000-8000-000000000001",
                     *         "actor": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "email": "ada@example.com"
                     *         },
                     *         "operation": "example",
                     *         "resource": {
                     *           "kind": "example",
                     *           "id": "01900000-0000-7000-8000-000000000001"
                     *         },
                     *         "request_id": "01900000-0000-7000-8000-000000000001",
                     *         "result": "succeeded",
                     *         "created_at": 1769860800,
                     *         "changes": {}
                     *       }
                     *     }
                     */
                    "application/json": {
                        event: {
                            actor: {
                                email: string | null;
                                id: string;
                                kind: string;
                            };
                            changes: {
                                [key: string]: unknown;
                            };
                            /** @description Unix seconds, possibly with a fraction */
                            created_at: number;
                            /**
                             * Format: uuid
                             * @description a UUID
                             */
                            event_id: string;
                            operation: string;
                            request_id: string | null;
                            resource: {
                                id: string;
                                kind: string;
                            };
                            /** @enum {unknown} */
                            result: "succeeded" | "failed";
                        };
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCapabilities: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schema_version": "example",
                     *       "scopes": [
                     *         "read"
                     *       ],
                     *       "provider_types": [
                     *         "vendorA"
                     *       ],
                     *       "app_fields": [
                     *         "example"
                     *       ],
                     *       "writes_available": true,
                     *       "policy_updates": true,
                     *       "policy_authority": {
                     *         "enabled": true,
                     *         "active_revision": "example",
                     *         "active_checksum": "example"
                     *       },
                     *       "model_test_provider_types": [
                     *         "example"
                     *       ],
                     *       "model_checks_available": true,
                     *       "detection_categories": [
                     *         {
                     *           "id": "01900000-0000-7000-8000-000000000001",
                     *           "subcategories": [
                     *             "example"
                     *           ]
                     *         }
                     *       ],
                     *       "unsupported_settings": [
                     *         {
                     *           "path": "/usr/bin/example-app",
                     *           "reason": "needs_model"
                     *         }
                     *       ],
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app_fields: string[];
                        /** @description Detection categories of the tenant, built-in and imported. */
                        detection_categories: {
                            id: string;
                            subcategories: string[];
                        }[];
                        /** @description Every running gateway node has a guardian, which runs checks that need a model. */
                        model_checks_available: boolean;
                        model_test_provider_types: string[];
                        policy_authority: {
                            active_checksum: string | null;
                            active_revision: string | null;
                            enabled: boolean;
                        };
                        policy_updates: boolean;
                        provider_types: ("vendorA" | "vendorB_vendorA" | "general" | "gw_ai" | "vendorC" | "vendorC_messages" | "vendorC_messages_vendorG" | "vendorC_messages_vendorB" | "vendorD" | "vendorE_ai" | "vendorE_chatcompletions" | "vendorF" | "vendorA_responses" | "vendorA_responses_vendorB" | "vendorF_responses" | "vendorA_assistants" | "vendorA_assistants_vendorB" | "vendorA_realtime" | "vendorA_realtime_vendorB" | "vendorG" | "vendorG_embeddings" | "vendorH_rerank" | "vendorG_rerank" | "vendorI_rerank" | "vendorJ_rerank" | "general_rerank" | "vendorK")[];
                        request_id: string;
                        schema_version: string;
                        scopes: ("read" | "config:write" | "providers:write" | "credentials:write" | "credentials:read")[];
                        /** @description Settings that gateway nodes do not enforce at present. Policies of smart groups have the same limits. */
                        unsupported_settings: {
                            /** @description JSON pointer into the configuration of an app. */
                            path: string;
                            /** @enum {unknown} */
                            reason: "needs_model" | "needs_data" | "not_available";
                        }[];
                        writes_available: boolean;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCustomDefinitions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A whole number from 1 to 200. */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "edm_id": "01900000-0000-7000-8000-000000000001",
                     *           "definition_id": "01900000-0000-7000-8000-000000000001",
                     *           "name": "Example App",
                     *           "description": "The project needs it.",
                     *           "kind": "example",
                     *           "patterns": [
                     *             {
                     *               "pattern": "example",
                     *               "sensitivity": "example"
                     *             }
                     *           ],
                     *           "values_count": 1
                     *         }
                     *       ],
                     *       "next_cursor": "eyJhZnRlciI6MX0",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        items: {
                            definition_id: string;
                            description: string | null;
                            edm_id: string;
                            kind: string | null;
                            name: string;
                            patterns?: {
                                /** @description RE2 syntax */
                                pattern: string;
                                sensitivity?: string;
                            }[];
                            /** @description Number of exact values, which are never returned. */
                            values_count?: number;
                        }[];
                        next_cursor: string | null;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCustomDefinition: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the custom definition. */
                definition_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "custom_definition": {
                     *         "edm_id": "01900000-0000-7000-8000-000000000001",
                     *         "definition_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "description": "The project needs it.",
                     *         "kind": "example",
                     *         "patterns": [
                     *           {
                     *             "pattern": "example",
                     *             "sensitivity": "example"
                     *           }
                     *         ],
                     *         "values_count": 1
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        custom_definition: {
                            definition_id: string;
                            description: string | null;
                            edm_id: string;
                            kind: string | null;
                            name: string;
                            patterns?: {
                                /** @description RE2 syntax */
                                pattern: string;
                                sensitivity?: string;
                            }[];
                            /** @description Number of exact values, which are never returned. */
                            values_count?: number;
                        };
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOpenapiDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the operation. */
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "operation_id": "01900000-0000-7000-8000-000000000001",
                     *       "state": "pending",
                     *       "created_at": 1769860800,
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        /** @description Unix seconds, possibly with a fraction */
                        created_at: number;
                        /**
                         * Format: uuid
                         * @description a UUID
                         */
                        operation_id: string;
                        request_id: string;
                        /** @enum {unknown} */
                        state: "pending" | "completed" | "failed" | "superseded";
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    recoverOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description ID of the operation. */
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "operation_id": "01900000-0000-7000-8000-000000000001",
                     *       "state": "pending",
                     *       "app": {
                     *         "app_id": "01900000-0000-7000-8000-000000000001",
                     *         "name": "Example App",
                     *         "mode": "gateway",
                     *         "enabled": true,
                     *         "version": "\"3\"",
                     *         "provider_labels": [
                     *           "example"
                     *         ],
                     *         "tags": [
                     *           "example"
                     *         ],
                     *         "policy_authority": {
                     *           "enabled": true,
                     *           "active_revision": "example",
                     *           "active_checksum": "example"
                     *         },
                     *         "inline_providers": [
                     *           {
                     *             "provider_name": "example",
                     *             "provider_settings": {}
                     *           }
                     *         ],
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "detection": {
                     *           "enabled_categories": {},
                     *           "category_actions": {},
                     *           "category_scopes": {},
                     *           "category_sensitivities": {},
                     *           "sub_category_actions": {},
                     *           "sub_category_sensitivities": {},
                     *           "custom_definitions": [
                     *             {
                     *               "definition_id": "01900000-0000-7000-8000-000000000001",
                     *               "enabled": true,
                     *               "action": "monitor",
                     *               "scope": "request",
                     *               "sensitivity": "low"
                     *             }
                     *           ],
                     *           "data_risk_action": "monitor",
                     *           "edm_pattern_sensitivities": {},
                     *           "guardian_agent": {
                     *             "enabled": true,
                     *             "coding_helpers": {
                     *               "enabled": true,
                     *               "dependency_security_check": true,
                     *               "latest_version_suggestions": true
                     *             },
                     *             "task_adherence": {
                     *               "enabled": true,
                     *               "action": "nudge",
                     *               "sensitivity": "low"
                     *             }
                     *           },
                     *           "agent_purpose": "example",
                     *           "guardian_agent_prompt": "example",
                     *           "hallucination_check_action": "block",
                     *           "hallucination_check_risk_level": "example",
                     *           "hallucination_check_score_threshold": 1,
                     *           "is_hallucination_check_enabled": true,
                     *           "scan_images": true,
                     *           "scan_encoded_images": true,
                     *           "scan_images_scope": "request",
                     *           "scan_encoded_images_scope": "request"
                     *         },
                     *         "limits": {
                     *           "concurrency_per_minute": 1,
                     *           "timeout": 1,
                     *           "rate_limit_per_minute": 1,
                     *           "rate_limit": {
                     *             "value": 1,
                     *             "duration": "minute"
                     *           },
                     *           "token_limits": {
                     *             "max_per_request": 1,
                     *             "input": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             },
                     *             "output": {
                     *               "value": 1,
                     *               "duration": "minute"
                     *             }
                     *           },
                     *           "model_rate_limits": [
                     *             {
                     *               "provider_label": "example",
                     *               "model": "example-model",
                     *               "timeout": 1,
                     *               "concurrency_per_minute": 1,
                     *               "rate_limit": {
                     *                 "value": 1,
                     *                 "duration": "minute"
                     *               },
                     *               "token_limits": {}
                     *             }
                     *           ]
                     *         },
                     *         "routing": {
                     *           "routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "token_based_routing_groups": [
                     *             {
                     *               "group_name": "example",
                     *               "group_kind": "chat_completion",
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model_name": "example",
                     *                   "weight": 1
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "custom_routing": [
                     *             {
                     *               "group": "chat_completion",
                     *               "type": "Low_Context_Request",
                     *               "is_published": true,
                     *               "models": [
                     *                 {
                     *                   "provider_name": "example",
                     *                   "model": "example-model"
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "routing_thresholds": {
                     *             "low_max_words": 1,
                     *             "medium_max_words": 1
                     *           }
                     *         },
                     *         "access": {
                     *           "allowed_source_ips": [
                     *             "192.0.2.10"
                     *           ],
                     *           "allowed_user_domains": [
                     *             "example"
                     *           ],
                     *           "allowed_user_emails": [
                     *             "ada@example.com"
                     *           ],
                     *           "identity_token_headers": [
                     *             "example"
                     *           ],
                     *           "enforce_conversation_id": true,
                     *           "enforce_identity": true,
                     *           "identity_header_mode": true,
                     *           "identity_token_oid_fallback": true,
                     *           "jwt_auth": {
                     *             "enabled": true,
                     *             "allowed_issuers": [
                     *               "example"
                     *             ],
                     *             "allowed_client_ids": [
                     *               "01900000-0000-7000-8000-000000000001"
                     *             ],
                     *             "public_key_pem": "example",
                     *             "kid": "example"
                     *           }
                     *         },
                     *         "transformations": {
                     *           "token_saving": {
                     *             "smart_json_compression": true,
                     *             "html_to_text": true,
                     *             "markdown_to_text": true,
                     *             "text_compression": true
                     *           }
                     *         },
                     *         "self_service": {
                     *           "enable_self_service": true,
                     *           "self_service": {
                     *             "access_control": {}
                     *           }
                     *         },
                     *         "prompts": {
                     *           "require_system_from_store": true
                     *         },
                     *         "smart_group_policies": [
                     *           {
                     *             "group_name": "example",
                     *             "enabled": true,
                     *             "enabled_categories": {},
                     *             "category_actions": {},
                     *             "category_scopes": {},
                     *             "category_sensitivities": {},
                     *             "sub_category_actions": {},
                     *             "sub_category_sensitivities": {},
                     *             "actions": {
                     *               "data_risk_action": "monitor",
                     *               "hallucination_check_action": "block"
                     *             }
                     *           }
                     *         ],
                     *         "alerting": {
                     *           "app_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "provider_level": {
                     *             "enabled": false,
                     *             "window_minutes": 15,
                     *             "failure_rate_threshold": 10,
                     *             "minimum_requests": 20,
                     *             "cooldown_minutes": 10,
                     *             "notify_on_recovery": true
                     *           },
                     *           "channels": {
                     *             "emails": [
                     *               "ada@example.com"
                     *             ],
                     *             "webhooks": [
                     *               {
                     *                 "id": "01900000-0000-7000-8000-000000000001"
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       },
                     *       "warnings": [
                     *         {
                     *           "code": "example",
                     *           "message": "Example App was blocked."
                     *         }
                     *       ],
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        app?: components["schemas"]["App"];
                        /**
                         * Format: uuid
                         * @description a UUID
                         */
                        operation_id: string;
                        request_id: string;
                        /** @enum {unknown} */
                        state: "pending" | "completed" | "failed" | "superseded";
                        warnings?: {
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listProviders: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A whole number from 1 to 200. */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "label": "main",
                     *           "provider_name": "vendorA",
                     *           "provider_settings": {
                     *             "vendorC_version": "Example Inc.",
                     *             "auth_type": "api_key",
                     *             "vendorG_auth_mode": "static",
                     *             "vendorG_region": "Example Inc.",
                     *             "vendorG_role_arn": "Example Inc.",
                     *             "vendorG_role_session_name": "Example Inc.",
                     *             "vendorG_session_duration_seconds": 900,
                     *             "vendorB_api_version": "Example Inc.",
                     *             "vendorB_endpoint": "Example Inc.",
                     *             "base_url": "https://example.com/hook",
                     *             "vendorE_project_id": "01900000-0000-7000-8000-000000000001",
                     *             "vendorE_region": "Example Inc.",
                     *             "vendorF_compartment_id": "01900000-0000-7000-8000-000000000001",
                     *             "vendorF_fingerprint": "Example Inc.",
                     *             "vendorF_project_id": "01900000-0000-7000-8000-000000000001",
                     *             "vendorF_region": "Example Inc.",
                     *             "vendorF_tenancy_id": "01900000-0000-7000-8000-000000000001",
                     *             "vendorF_user_id": "01900000-0000-7000-8000-000000000001"
                     *           },
                     *           "selected_models": [
                     *             "example-model"
                     *           ],
                     *           "model_costs": {},
                     *           "enabled": true,
                     *           "credential_configured": true,
                     *           "created_at": 1769860800,
                     *           "updated_at": 1769860800,
                     *           "version": "\"3\""
                     *         }
                     *       ],
                     *       "next_cursor": "eyJhZnRlciI6MX0",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Provider"][];
                        next_cursor: string | null;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and request again within 24 hours give the same answer, byte for byte: the `request_id` in its body is that of the first request, while the header `X-Request-ID` names the repeat. */
                "Idempotency-Key"?: string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "main",
                 *       "provider_name": "vendorA"
                 *     }
                 */
                "application/json": components["schemas"]["ProviderInput"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": {
                     *         "label": "main",
                     *         "provider_name": "vendorA",
                     *         "provider_settings": {
                     *           "vendorC_version": "Example Inc.",
                     *           "auth_type": "api_key",
                     *           "vendorG_auth_mode": "static",
                     *           "vendorG_region": "Example Inc.",
                     *           "vendorG_role_arn": "Example Inc.",
                     *           "vendorG_role_session_name": "Example Inc.",
                     *           "vendorG_session_duration_seconds": 900,
                     *           "vendorB_api_version": "Example Inc.",
                     *           "vendorB_endpoint": "Example Inc.",
                     *           "base_url": "https://example.com/hook",
                     *           "vendorE_project_id": "01900000-0000-7000-8000-000000000001",
                     *           "vendorE_region": "Example Inc.",
                     *           "vendorF_compartment_id": "01900000-0000-7000-8000-000000000001",
                     *           "vendorF_fingerprint": "Example Inc.",
                     *           "vendorF_project_id": "01900000-0000-7000-8000-000000000001",
                     *           "vendorF_region": "Example Inc.",
                     *           "vendorF_tenancy_id": "01900000-0000-7000-8000-000000000001",
                     *           "vendorF_user_id": "01900000-0000-7000-8000-000000000001"
                     *         },
                     *         "selected_models": [
                     *           "example-model"
                     *         ],
                     *         "model_costs": {},
                     *         "enabled": true,
                     *         "credential_configured": true,
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        provider: components["schemas"]["Provider"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Label of the provider. */
                label: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": {
                     *         "label": "main",
                     *         "provider_name": "vendorA",
                     *         "provider_settings": {
                     *           "vendorC_version": "Example Inc.",
                     *           "auth_type": "api_key",
                     *           "vendorG_auth_mode": "static",
                     *           "vendorG_region": "Example Inc.",
                     *           "vendorG_role_arn": "Example Inc.",
                     *           "vendorG_role_session_name": "Example Inc.",
                     *           "vendorG_session_duration_seconds": 900,
                     *           "vendorB_api_version": "Example Inc.",
                     *           "vendorB_endpoint": "Example Inc.",
                     *           "base_url": "https://example.com/hook",
                     *           "vendorE_project_id": "01900000-0000-7000-8000-000000000001",
                     *           "vendorE_region": "Example Inc.",
                     *           "vendorF_compartment_id": "01900000-0000-7000-8000-000000000001",
                     *           "vendorF_fingerprint": "Example Inc.",
                     *           "vendorF_project_id": "01900000-0000-7000-8000-000000000001",
                     *           "vendorF_region": "Example Inc.",
                     *           "vendorF_tenancy_id": "01900000-0000-7000-8000-000000000001",
                     *           "vendorF_user_id": "01900000-0000-7000-8000-000000000001"
                     *         },
                     *         "selected_models": [
                     *           "example-model"
                     *         ],
                     *         "model_costs": {},
                     *         "enabled": true,
                     *         "credential_configured": true,
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        provider: components["schemas"]["Provider"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateProvider: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Label of the provider. */
                label: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "main"
                 *     }
                 */
                "application/json": {
                    enabled?: boolean;
                    /** @description 1 to 200 characters, not only white space or invisible ones */
                    label?: string;
                    model_costs?: {
                        [key: string]: {
                            cache_per_1m?: number | null;
                            input_per_1m?: number | null;
                            output_per_1m?: number | null;
                        } | null;
                    };
                    /** @enum {unknown} */
                    provider_name?: "vendorA" | "vendorB_vendorA" | "general" | "gw_ai" | "vendorC" | "vendorC_messages" | "vendorC_messages_vendorG" | "vendorC_messages_vendorB" | "vendorD" | "vendorE_ai" | "vendorE_chatcompletions" | "vendorF" | "vendorA_responses" | "vendorA_responses_vendorB" | "vendorF_responses" | "vendorA_assistants" | "vendorA_assistants_vendorB" | "vendorA_realtime" | "vendorA_realtime_vendorB" | "vendorG" | "vendorG_embeddings" | "vendorH_rerank" | "vendorG_rerank" | "vendorI_rerank" | "vendorJ_rerank" | "general_rerank" | "vendorK";
                    provider_settings?: components["schemas"]["ProviderSettingsPatch"];
                    selected_models?: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": {
                     *         "label": "main",
                     *         "provider_name": "vendorA",
                     *         "provider_settings": {
                     *           "vendorC_version": "Example Inc.",
                     *           "auth_type": "api_key",
                     *           "vendorG_auth_mode": "static",
                     *           "vendorG_region": "Example Inc.",
                     *           "vendorG_role_arn": "Example Inc.",
                     *           "vendorG_role_session_name": "Example Inc.",
                     *           "vendorG_session_duration_seconds": 900,
                     *           "vendorB_api_version": "Example Inc.",
                     *           "vendorB_endpoint": "Example Inc.",
                     *           "base_url": "https://example.com/hook",
                     *           "vendorE_project_id": "01900000-0000-7000-8000-000000000001",
                     *           "vendorE_region": "Example Inc.",
                     *           "vendorF_compartment_id": "01900000-0000-7000-8000-000000000001",
                     *           "vendorF_fingerprint": "Example Inc.",
                     *           "vendorF_project_id": "01900000-0000-7000-8000-000000000001",
                     *           "vendorF_region": "Example Inc.",
                     *           "vendorF_tenancy_id": "01900000-0000-7000-8000-000000000001",
                     *           "vendorF_user_id": "01900000-0000-7000-8000-000000000001"
                     *         },
                     *         "selected_models": [
                     *           "example-model"
                     *         ],
                     *         "model_costs": {},
                     *         "enabled": true,
                     *         "credential_configured": true,
                     *         "created_at": 1769860800,
                     *         "updated_at": 1769860800,
                     *         "version": "\"3\""
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        provider: components["schemas"]["Provider"];
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Someone else changed it. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description If-Match is required. */
            428: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Label of the provider. */
                label: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "connection"
                 *     }
                 */
                "application/json": {
                    /** @enum {unknown} */
                    kind: "connection" | "model";
                    model?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "test": {
                     *         "configuration_version": "example",
                     *         "kind": "connection",
                     *         "model": "example-model",
                     *         "outcome": "passed",
                     *         "code": "example",
                     *         "completed_at": 1769860800,
                     *         "latency_ms": 1
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        request_id: string;
                        test: {
                            code: string | null;
                            /** @description Unix seconds, possibly with a fraction */
                            completed_at: number;
                            /** @description The ETag verbatim, with its quotes. */
                            configuration_version: string;
                            /** @enum {unknown} */
                            kind: "connection" | "model";
                            latency_ms?: number;
                            model: string | null;
                            /** @enum {unknown} */
                            outcome: "passed" | "failed" | "unsupported";
                        };
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSmartGroups: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page. */
                cursor?: string;
                /** @description A whole number from 1 to 200. */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "group_name": "example",
                     *           "description": "The project needs it.",
                     *           "members": [
                     *             "example"
                     *           ],
                     *           "rules": "example"
                     *         }
                     *       ],
                     *       "next_cursor": "eyJhZnRlciI6MX0",
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        items: {
                            description: string | null;
                            group_name: string;
                            members: string[];
                            rules: unknown;
                        }[];
                        next_cursor: string | null;
                        request_id: string;
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSmartGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                /** @description Name of the smart group. */
                group_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "smart_group": {
                     *         "group_name": "example",
                     *         "description": "The project needs it.",
                     *         "members": [
                     *           "example"
                     *         ],
                     *         "rules": "example"
                     *       },
                     *       "request_id": "01900000-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        request_id: string;
                        smart_group: {
                            description: string | null;
                            group_name: string;
                            members: string[];
                            rules: unknown;
                        };
                    };
                };
            };
            /** @description Invalid; the message contains a JSON pointer. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not signed in, or the token is invalid. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflicts with the current state. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The path is too long. */
            414: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After. */
            429: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Path and headers together are too long. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Seconds to wait before the next try. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
