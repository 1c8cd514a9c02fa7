// Made by `npm run dump` from the OpenAPI document of the hub. Not to be edited.
export interface paths {
    "/llmgateway/management-admin/v1/tenants/{tenant_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List management keys */
        get: operations["management-admin_get_tenants_tenant_id_keys"];
        put?: never;
        /** Issue a management key */
        post: operations["management-admin_post_tenants_tenant_id_keys"];
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
        /** Revoke a management key; works while the tenant is suspended */
        delete: operations["management-admin_delete_tenants_tenant_id_keys_key_id"];
        options?: never;
        head?: never;
        /** Update the name, scopes or expiry of a management key */
        patch: operations["management-admin_patch_tenants_tenant_id_keys_key_id"];
        trace?: never;
    };
    "/llmgateway/management-admin/v1/tenants/{tenant_id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the management API settings of a tenant */
        get: operations["management-admin_get_tenants_tenant_id_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Opt in to the management API, or suspend all management keys */
        patch: operations["management-admin_patch_tenants_tenant_id_settings"];
        trace?: never;
    };
    "/llmgateway/management/v1/app": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an app with its stored settings */
        get: operations["management_get_app"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Update the configuration of an app */
        patch: operations["management_patch_app"];
        trace?: never;
    };
    "/llmgateway/management/v1/app/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List app keys */
        get: operations["management_get_app_keys"];
        put?: never;
        /** Issue an app key */
        post: operations["management_post_app_keys"];
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
        /** Get an app key without its secret */
        get: operations["management_get_app_keys_key_id"];
        put?: never;
        post?: never;
        /** Revoke a key; its name is free again */
        delete: operations["management_delete_app_keys_key_id"];
        options?: never;
        head?: never;
        /** Update the expiry of an active key */
        patch: operations["management_patch_app_keys_key_id"];
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
        /** Reveal the secret of an active key; audited */
        post: operations["management_post_app_keys_key_id_reveal"];
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
        /** List prompts */
        get: operations["management_get_app_prompts"];
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
        /** Get a prompt and the app's version */
        get: operations["management_get_app_prompts_prompt_id"];
        /** Create or replace a prompt */
        put: operations["management_put_app_prompts_prompt_id"];
        post?: never;
        /** Delete a prompt */
        delete: operations["management_delete_app_prompts_prompt_id"];
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
        /** Convert a legacy app to shared providers */
        post: operations["management_post_app_provider_conversion"];
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
        /** List the attached provider labels, primary first */
        get: operations["management_get_app_providers"];
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
        /** Attach a shared provider, or make it primary */
        put: operations["management_put_app_providers_label"];
        post?: never;
        /** Detach a provider from the app; the provider is kept */
        delete: operations["management_delete_app_providers_label"];
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
        /** List configuration versions, newest first */
        get: operations["management_get_app_versions"];
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
         * @description A version never changes, so it has no ETag.
         */
        get: operations["management_get_app_versions_version_id"];
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
        /** Restore the configuration of a version as a new change */
        post: operations["management_post_app_versions_version_id_rollback"];
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
        /** List apps */
        get: operations["management_get_apps"];
        put?: never;
        /** Create an app and its first key */
        post: operations["management_post_apps"];
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
        /** Get an app with its stored settings */
        get: operations["management_get_apps_app_name"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Update the configuration of an app */
        patch: operations["management_patch_apps_app_name"];
        trace?: never;
    };
    "/llmgateway/management/v1/apps/{app_name}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List app keys */
        get: operations["management_get_apps_app_name_keys"];
        put?: never;
        /** Issue an app key */
        post: operations["management_post_apps_app_name_keys"];
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
        /** Get an app key without its secret */
        get: operations["management_get_apps_app_name_keys_key_id"];
        put?: never;
        post?: never;
        /** Revoke a key; its name is free again */
        delete: operations["management_delete_apps_app_name_keys_key_id"];
        options?: never;
        head?: never;
        /** Update the expiry of an active key */
        patch: operations["management_patch_apps_app_name_keys_key_id"];
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
        /** Reveal the secret of an active key; audited */
        post: operations["management_post_apps_app_name_keys_key_id_reveal"];
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
        /** List prompts */
        get: operations["management_get_apps_app_name_prompts"];
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
        /** Get a prompt and the app's version */
        get: operations["management_get_apps_app_name_prompts_prompt_id"];
        /** Create or replace a prompt */
        put: operations["management_put_apps_app_name_prompts_prompt_id"];
        post?: never;
        /** Delete a prompt */
        delete: operations["management_delete_apps_app_name_prompts_prompt_id"];
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
        /** Convert a legacy app to shared providers */
        post: operations["management_post_apps_app_name_provider_conversion"];
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
        /** List the attached provider labels, primary first */
        get: operations["management_get_apps_app_name_providers"];
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
        /** Attach a shared provider, or make it primary */
        put: operations["management_put_apps_app_name_providers_label"];
        post?: never;
        /** Detach a provider from the app; the provider is kept */
        delete: operations["management_delete_apps_app_name_providers_label"];
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
        /** List configuration versions, newest first */
        get: operations["management_get_apps_app_name_versions"];
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
         * @description A version never changes, so it has no ETag.
         */
        get: operations["management_get_apps_app_name_versions_version_id"];
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
        /** Restore the configuration of a version as a new change */
        post: operations["management_post_apps_app_name_versions_version_id_rollback"];
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
        /** List management audit events, newest first */
        get: operations["management_get_audit"];
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
         * @description An event never changes, so it has no ETag.
         */
        get: operations["management_get_audit_event_id"];
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
         * @description `request_id` is at the root, beside the capabilities, as in every answer.
         */
        get: operations["management_get_capabilities"];
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
        /** List custom definitions */
        get: operations["management_get_custom_definitions"];
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
        /** Get a custom definition */
        get: operations["management_get_custom_definitions_definition_id"];
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
        /** Get the OpenAPI 3.1 document of this API */
        get: operations["management_get_openapi_json"];
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
        /** Get the outcome of an operation */
        get: operations["management_get_operations_operation_id"];
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
        /** Repeat a configuration write with an unknown outcome */
        post: operations["management_post_operations_operation_id_recover"];
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
        /** List shared providers */
        get: operations["management_get_providers"];
        put?: never;
        /** Create a shared provider */
        post: operations["management_post_providers"];
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
        /** Get a shared provider without its secrets */
        get: operations["management_get_providers_label"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Update a shared provider, rotate its credentials, enable or disable it */
        patch: operations["management_patch_providers_label"];
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
        /** Test a provider with a short request */
        post: operations["management_post_providers_label_test"];
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
        /** List smart groups */
        get: operations["management_get_smart_groups"];
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
        /** Get a smart group */
        get: operations["management_get_smart_groups_group_name"];
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
        /** Access */
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
        /** Alerting */
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
        /** App */
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
        /** AppCreate */
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
        /** AppKey */
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
        /** AppKeyIssued */
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
        /** AppPatch */
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
        /** Detection */
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
         * @description Temporarily unavailable; see Retry-After.
         */
        Error: {
            error: {
                code: string;
                message: string;
                operation_id?: string;
            };
            request_id: string;
        };
        /** Limits */
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
        /** Provider */
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
        /** ProviderInput */
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
        /** ProviderSettings */
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
        /** ProviderSettingsPatch */
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
        /** ProviderSettingsRead */
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
        /** Routing */
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
        /** SelfServiceRole */
        SelfServiceRole: {
            /** @default false */
            allow_all?: boolean;
            allow_emails?: string[];
            allow_smart_groups?: string[];
            deny_emails?: string[];
            deny_smart_groups?: string[];
        };
        /** SmartGroupPolicies */
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
        /** Transformations */
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
    "management-admin_get_tenants_tenant_id_keys": {
        parameters: {
            query?: {
                cursor?: string;
                /** @description a whole number from 1 to 200 */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    "management-admin_post_tenants_tenant_id_keys": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and request again within 24 hours give the same answer, byte for byte: the `request_id` in its body is that of the first request, while the header `X-Request-ID` names the repeat. */
                "Idempotency-Key"?: string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    expires_at?: string | null;
                    /** @description 1 to 200 characters, not only white space or invisible ones */
                    name: string;
                    scopes: ("read" | "config:write" | "providers:write" | "credentials:write" | "credentials:read")[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    "management-admin_delete_tenants_tenant_id_keys_key_id": {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                key_id: string;
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    "management-admin_patch_tenants_tenant_id_keys_key_id": {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                key_id: string;
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    expires_at?: string | null;
                    /** @description 1 to 200 characters, not only white space or invisible ones */
                    name?: string;
                    scopes?: ("read" | "config:write" | "providers:write" | "credentials:write" | "credentials:read")[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    "management-admin_get_tenants_tenant_id_settings": {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    "management-admin_patch_tenants_tenant_id_settings": {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enabled: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_app: {
        parameters: {
            query: {
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
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_patch_app: {
        parameters: {
            query: {
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
                "application/json": components["schemas"]["AppPatch"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_app_keys: {
        parameters: {
            query: {
                app_name: string;
                cursor?: string;
                /** @description a whole number from 1 to 200 */
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_post_app_keys: {
        parameters: {
            query: {
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
                "application/json": {
                    expires_at?: string | null;
                    /** @description 1 to 200 characters, not only white space or invisible ones */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_app_keys_key_id: {
        parameters: {
            query: {
                app_name: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_delete_app_keys_key_id: {
        parameters: {
            query: {
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_patch_app_keys_key_id: {
        parameters: {
            query: {
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    expires_at: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_post_app_keys_key_id_reveal: {
        parameters: {
            query: {
                app_name: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_app_prompts: {
        parameters: {
            query: {
                app_name: string;
                cursor?: string;
                /** @description a whole number from 1 to 200 */
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_get_app_prompts_prompt_id: {
        parameters: {
            query: {
                app_name: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_put_app_prompts_prompt_id: {
        parameters: {
            query: {
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    content: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
            /** @description Default Response */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_delete_app_prompts_prompt_id: {
        parameters: {
            query: {
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_post_app_provider_conversion: {
        parameters: {
            query: {
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
                "application/json": {
                    provider_labels: string[];
                    routing?: components["schemas"]["Routing"];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_app_providers: {
        parameters: {
            query: {
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
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_put_app_providers_label: {
        parameters: {
            query: {
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                label: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default false */
                    primary?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_delete_app_providers_label: {
        parameters: {
            query: {
                app_name: string;
            };
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                label: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_app_versions: {
        parameters: {
            query: {
                app_name: string;
                cursor?: string;
                /** @description a whole number from 1 to 200 */
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_get_app_versions_version_id: {
        parameters: {
            query: {
                app_name: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_post_app_versions_version_id_rollback: {
        parameters: {
            query: {
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
                version_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_apps: {
        parameters: {
            query?: {
                cursor?: string;
                enabled?: "true" | "false";
                /** @description a whole number from 1 to 200 */
                limit?: string;
                /** @description 1 to 1000 characters, not only white space or invisible ones */
                name?: string;
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_post_apps: {
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
                "application/json": components["schemas"]["AppCreate"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_apps_app_name: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_patch_apps_app_name: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppPatch"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_apps_app_name_keys: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description a whole number from 1 to 200 */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_post_apps_app_name_keys: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and request again within 24 hours give the same answer, byte for byte: the `request_id` in its body is that of the first request, while the header `X-Request-ID` names the repeat. */
                "Idempotency-Key"?: string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    expires_at?: string | null;
                    /** @description 1 to 200 characters, not only white space or invisible ones */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_apps_app_name_keys_key_id: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_delete_apps_app_name_keys_key_id: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_patch_apps_app_name_keys_key_id: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    expires_at: string | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_post_apps_app_name_keys_key_id_reveal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_apps_app_name_prompts: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description a whole number from 1 to 200 */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_get_apps_app_name_prompts_prompt_id: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_put_apps_app_name_prompts_prompt_id: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    content: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
            /** @description Default Response */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_delete_apps_app_name_prompts_prompt_id: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_post_apps_app_name_provider_conversion: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    provider_labels: string[];
                    routing?: components["schemas"]["Routing"];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_apps_app_name_providers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_put_apps_app_name_providers_label: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
                label: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default false */
                    primary?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_delete_apps_app_name_providers_label: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
                label: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_apps_app_name_versions: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description a whole number from 1 to 200 */
                limit?: string;
            };
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_get_apps_app_name_versions_version_id: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                app_name: string;
                version_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_post_apps_app_name_versions_version_id_rollback: {
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
                app_name: string;
                version_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_audit: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description a whole number from 1 to 200 */
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_get_audit_event_id: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_get_capabilities: {
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        app_fields: string[];
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
    management_get_custom_definitions: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description a whole number from 1 to 200 */
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            definition_id: string;
                            description: string | null;
                            edm_id: string;
                            kind: string | null;
                            name: string;
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
    management_get_custom_definitions_definition_id: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                definition_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        custom_definition: {
                            definition_id: string;
                            description: string | null;
                            edm_id: string;
                            kind: string | null;
                            name: string;
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
    management_get_openapi_json: {
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_get_operations_operation_id: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_post_operations_operation_id_recover: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_providers: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description a whole number from 1 to 200 */
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_post_providers: {
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
                "application/json": components["schemas"]["ProviderInput"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_get_providers_label: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                label: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_patch_providers_label: {
        parameters: {
            query?: never;
            header: {
                /** @description The ETag that was read. */
                "If-Match": string;
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                label: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
    management_post_providers_label_test: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                label: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    kind: "connection" | "model";
                    model?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_get_smart_groups: {
        parameters: {
            query?: {
                cursor?: string;
                /** @description a whole number from 1 to 200 */
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
    management_get_smart_groups_group_name: {
        parameters: {
            query?: never;
            header?: {
                /** @description Echoed in the answer. */
                "X-Request-ID"?: string;
            };
            path: {
                group_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description The version, as `If-Match` takes it. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
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
