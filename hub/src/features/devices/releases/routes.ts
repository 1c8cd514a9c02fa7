// How devices learn of a newer agent and fetch it: signed by the vendor, admitted by ring, with the device's own token.
import { Readable } from 'node:stream';
import { Sha256Hex } from '@gatewarden/shared/wire/common.ts';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { UPDATE_FILES_PATH } from '@gatewarden/shared/wire/sync/limits.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { agentOf } from '../../../platform/auth/agent.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { matchesIfNoneMatch, NotModified } from '../../../platform/http/server/etag.ts';
import { checkDevice, selectDeviceState } from '../enrollment/index.ts';
import { groupsOf } from '../groups/index.ts';
import { chooseRelease, isAdmitted, rangeStart } from './rules.ts';
import {
  PIECE_BYTES,
  type Release,
  selectOffered,
  selectPiece,
  selectReleaseGroups,
  selectWithFile,
} from './store.ts';

/** Concurrent downloads of a hub process, so that updates leave capacity for reports of devices. */
const DOWNLOADS_MAX = 16;
/** A download without progress for this time in milliseconds is ended. */
const STALLED_MS = 60_000;
const RETRY_AFTER_SECONDS = 120;

const FILE = {
  description: 'The archive, or the rest of it where `Range: bytes=N-` asks for that.',
  content: { 'application/gzip': { schema: Type.String() } },
};

export function registerReleases(app: App, deps: { db: Db }): void {
  const { db } = deps;
  const endpoint = SYNC_ENDPOINTS.update;
  registerDownload(app, db);
  app.get(
    endpoint.path,
    {
      config: { sync: 'get', alsoAnswers: ['404'] },
      schema: {
        tags: ['device'],
        summary: endpoint.summary,
        querystring: endpoint.query,
        response: {
          200: endpoint.answer,
          204: Type.Unsafe<undefined>({ type: 'null', description: 'Nothing newer' }),
          304: NotModified,
        },
      },
    },
    async (request, reply) => {
      const asking = await askingDevice(db, request);
      const { platform, arch, version, channel = 'stable' } = request.query;
      const offered = await selectOffered(db, { platform, arch, channel });
      const early = await earlyFor(db, asking);
      const { deviceId } = asking;
      const chosen = chooseRelease(offered, { deviceId, version, early, now: new Date() });
      if (chosen === null) return reply.code(204).send();
      const etag = `"${chosen.release_id}"`;
      reply.header('etag', etag);
      if (matchesIfNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return { manifest: chosen.manifest, signature: chosen.signature };
    },
  );
}

function registerDownload(app: App, db: Db): void {
  let downloads = 0;
  app.get(
    `${UPDATE_FILES_PATH}/:sha256`,
    {
      config: { sync: 'get', alsoAnswers: ['404'] },
      schema: {
        tags: ['device'],
        summary: 'Download a file of a release',
        params: Type.Object({ sha256: Sha256Hex }),
        response: { 200: FILE, 206: FILE },
      },
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const asking = await askingDevice(db, request);
      const releases = await selectWithFile(db, request.params.sha256);
      const early = await earlyFor(db, asking);
      const release = releases.find((row) => isAdmitted(row, asking.deviceId, early));
      if (release === undefined) throw new HubError('not_found');
      if (downloads >= DOWNLOADS_MAX) {
        throw new HubError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      downloads++;
      const from = rangeStart(request.headers.range, release.size);
      const body = Readable.from(piecesOf(db, release, from), { objectMode: false });
      const { socket } = reply.raw;
      // A stalled connection leaves the last chunk in the kernel's buffer: only a timeout detects it.
      const stalled = () => body.destroy(new Error('the device stopped reading'));
      socket?.setTimeout(STALLED_MS, stalled);
      body.once('close', () => {
        downloads--;
        socket?.off('timeout', stalled);
        socket?.setTimeout(0);
      });
      reply
        .type('application/gzip')
        .header('accept-ranges', 'bytes')
        .header('content-length', release.size - from);
      if (from > 0) {
        reply
          .code(206)
          .header('content-range', `bytes ${from}-${release.size - 1}/${release.size}`);
      }
      // The body is an archive, which the schema's serializer does not apply to.
      return reply.send(body as never);
    },
  );
}

/** Returns the requesting device by its token; an unenrolled device is offered nothing. */
async function askingDevice(db: Db, request: FastifyRequest) {
  const agent = agentOf(request);
  const deviceId = agent.deviceId ?? '';
  const device = await selectDeviceState(db, agent.tenantId, deviceId);
  checkDevice(agent, deviceId, device);
  if (device === null) throw new HubError('not_found');
  return { tenantId: agent.tenantId, deviceId };
}

async function earlyFor(
  db: Db,
  { tenantId, deviceId }: { tenantId: string; deviceId: string },
): Promise<Set<string>> {
  const early = await selectReleaseGroups(db, tenantId);
  if (early.length === 0) return new Set();
  const groups = new Set(await groupsOf(db, tenantId, deviceId));
  return new Set(early.filter((row) => groups.has(row.group_id)).map((row) => row.release_id));
}

/** Streams a release with a single chunk in memory; a withdrawal ends the response early, which the device detects. */
async function* piecesOf(db: Db, release: Release, from: number): AsyncGenerator<Buffer> {
  let piece = Math.floor(from / PIECE_BYTES);
  let skip = from % PIECE_BYTES;
  for (; piece * PIECE_BYTES < release.size; piece++) {
    const found = await selectPiece(db, release.release_id, piece);
    if (found === null) throw new Error('the release was withdrawn meanwhile');
    yield found.bytes.subarray(skip);
    skip = 0;
  }
}
