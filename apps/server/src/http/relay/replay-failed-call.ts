import { z } from 'zod'
import type { DirectoryUser } from '../../accounts/users/user-directory.ts'
import type { FailedCalls, StoredRequest } from '../../gateway/failed-calls/failed-calls.ts'
import type { RelayCaller } from '../../gateway/relay/admission.ts'
import { RelayError } from '../../gateway/relay/relay-error.ts'
import type { AuditLog } from '../../records/audit-log/audit-log.ts'
import { type CallPathMatch, relayPath } from './paths.ts'

/** Body of a replay: the call and the channel. */
const replayBody = z.object({ request_id: z.string(), channel: z.number().int().positive() })

/** A kept call as the relay takes it. */
export interface Replay {
  readonly caller: RelayCaller
  readonly match: CallPathMatch
  readonly request: StoredRequest
}

interface Dependencies {
  readonly failedCalls: Pick<FailedCalls, 'find'>
  readonly auditLog: Pick<AuditLog, 'record'>
}

/**
 * Finds the kept call that a body names, for an administrator, who pays for it; the audit log records who replayed it. Throws
 * `RelayError`.
 * @param address of the client
 */
export async function openReplay(
  { failedCalls, auditLog }: Dependencies,
  user: DirectoryUser,
  address: string,
  body: string,
): Promise<Replay> {
  const { request_id: id, channel } = readBody(body)
  const retained = await failedCalls.find(id)
  const match = retained === undefined ? undefined : relayPath('POST', retained.request.path)
  if (retained === undefined || match?.kind !== 'call')
    throw new RelayError('stored_response_not_found', 'The request of this call is not kept.')
  const target = { kind: 'log', name: id } as const
  const actor = { userId: user.id, username: user.username, role: user.role, parts: user.parts, address }
  await auditLog.record(actor, { action: 'log.replay', target, after: { channel } })
  const caller = {
    user,
    token: null,
    tokenId: 0,
    tokenName: 'replay',
    group: user.group,
    pinnedChannelId: channel,
  }
  return { caller, match, request: retained.request }
}

function readBody(text: string): z.output<typeof replayBody> {
  try {
    return replayBody.parse(JSON.parse(text))
  } catch {
    throw new RelayError('invalid_request', 'Send request_id and channel.')
  }
}
