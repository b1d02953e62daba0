import { type JsonEdits, memberText, scanTopLevel, spliceMembers } from '@tollgate/formats'
import type { DirectoryUser } from '../../accounts/users/user-directory.ts'
import type { RelayCaller } from '../../gateway/relay/admission.ts'
import { RelayError } from '../../gateway/relay/relay-error.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isUsableGroup } from '../../settings/groups.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { Guard } from '../callers/guard.ts'
import { isForeign, readSessionCookie } from '../callers/session-cookie.ts'
import type { ClientAddresses, Sender } from '../client-address.ts'

/** Entry to the relay with a session instead of a key. */
export interface PlaygroundDoor {
  /**
   * Admits by the guard of the console's calls, administrators' duties included.
   * @param address of the client
   * @param access what the user must be for what they ask for
   * @throws RelayError when there is no session, its user header is wrong, another site sent the call, or the user may not
   */
  admit(request: Sender, address: string, access: 'user' | 'admin'): Promise<DirectoryUser>
  /** Takes `group` out of the body, where the console puts it, and checks that the user may spend in it. */
  chooseGroup(user: DirectoryUser, body: string): PlaygroundCall
}

/** A call of the console as the relay takes it. */
export interface PlaygroundCall {
  readonly caller: RelayCaller
  /** Body without `group`. */
  readonly body: string
}

interface Dependencies {
  readonly guard: Pick<Guard, 'identify' | 'admitUser'>
  readonly addresses: Pick<ClientAddresses, 'isSecure'>
  readonly settings: SettingsReader
  readonly maxJsonDepth: number
}

export function createPlaygroundDoor({
  guard,
  addresses,
  settings,
  maxJsonDepth,
}: Dependencies): PlaygroundDoor {
  return {
    async admit(request, address, access) {
      const { headers } = request
      // The console's header names the user, and no other site's page can send it.
      if (isForeign(request)) throw notLoggedIn()
      try {
        const identity = await guard.identify(
          headers,
          readSessionCookie(headers, addresses.isSecure(request)),
        )
        if (identity.kind === 'user' && identity.via !== 'session') throw new Refusal('session_required')
        return await guard.admitUser({ ...sessionDoor, access, part: 'log' }, identity, { headers, address })
      } catch (error) {
        throw error instanceof Refusal ? relayErrorOf(error) : error
      }
    },
    chooseGroup(user, body) {
      const { group: requested, body: chatBody } = withoutGroup(body, maxJsonDepth)
      const group = requested === '' ? user.group : requested
      if (!isUsableGroup(settings.current, user.group, group)) {
        throw new RelayError(
          'group_not_allowed',
          `You cannot use the group ${group.slice(0, visibleGroupLength)}. Choose another one.`,
          {
            param: 'group',
          },
        )
      }
      const caller: RelayCaller = {
        user,
        token: null,
        tokenId: 0,
        tokenName: `playground-${group}`,
        group,
        pinnedChannelId: undefined,
      }
      return { caller, body: chatBody }
    },
  }
}

/** Door to calls that spend, so that no caller who may only read passes it. */
const sessionDoor = { sessionOnly: true, recentProof: 'uses' } as const

function notLoggedIn(): RelayError {
  return new RelayError('not_logged_in', 'Not logged in or login expired, please log in again')
}

/** A refusal of the console's guard as the relay says it. */
function relayErrorOf(refusal: Refusal): RelayError {
  switch (refusal.code) {
    case 'database_unavailable':
      return new RelayError(
        'database_unavailable',
        'Your login cannot be checked right now. Try again shortly.',
        { cause: refusal.cause },
      )
    case 'session_required':
      return new RelayError(
        'access_token_not_supported',
        'The playground needs a login session. Use an API key with /v1/chat/completions instead.',
      )
    case 'user_banned':
      return new RelayError('user_banned', 'This user is banned.')
    case 'permission_denied':
    case 'admin_part_missing':
      return new RelayError('channel_pin_not_allowed', 'Only administrators can replay calls.')
    case 'admin_address_not_allowed':
    case 'admin_second_factor_required':
      return new RelayError(refusal.code, refusal.publicMessage('en'))
    default:
      return notLoggedIn()
  }
}

const visibleGroupLength = 64
const noGroup: JsonEdits = new Map([['group', undefined]])

/** Everything but `group` stays byte for byte. A body that cannot be read is left for the relay to refuse. */
function withoutGroup(body: string, maxDepth: number): { group: string; body: string } {
  const scan = scanTopLevel(body, maxDepth)
  const member = scan.ok ? scan.members.get('group') : undefined
  if (!scan.ok || member === undefined) return { group: '', body }
  return { group: textOf(memberText(body, member)), body: spliceMembers(body, scan, noGroup) }
}

function textOf(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : ''
  } catch {
    return ''
  }
}
