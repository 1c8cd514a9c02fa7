// A request as answers hold it: to the person who asked, and to reviewers.
import type {
  AccessRequest,
  OwnAccessRequest,
} from '@gatewarden/shared/wire/console/access-requests.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import { etagOf } from '../../../platform/http/server/etag.ts';
import type { RequestRecord } from './store.ts';

/** To the person who asked. */
export function ownRequestRow(record: RequestRecord): OwnAccessRequest {
  return {
    access_request_id: record.access_request_id,
    device_id: record.device_id,
    hostname: record.hostname,
    entity_id: record.entity_id,
    process_name: record.process_name,
    application_name: record.application_name,
    reason: record.reason,
    state: record.state,
    created_at: record.created_at.toISOString(),
    asked: record.asked,
    asked_at: record.asked_at.toISOString(),
    decided_at: isoOrNull(record.decided_at),
    decided_by: record.decided_by,
    answer: record.answer,
    ends_at: isoOrNull(record.ends_at),
    override_id: record.override_id,
  };
}

export function requestRow(
  record: RequestRecord,
  exception: AccessRequest['exception'],
): AccessRequest {
  return {
    ...ownRequestRow(record),
    subscriber_id: record.subscriber_id,
    via: record.via,
    activity_id: record.activity_id,
    version: etagOf(record.version),
    exception,
  };
}
