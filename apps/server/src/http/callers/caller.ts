import type { AccessTokenScope, AdminPart, Role } from '@tollgate/api'

/** The user who calls, as of now: role, status and group are live, never taken from a cookie. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly role: Role
  /** Parts of an administrator. */
  readonly parts: readonly AdminPart[]
  readonly group: string
  /** `view`: the session of an administrator who sees the console as this user does. */
  readonly via: 'session' | 'access-token' | 'view'
  /** `read`: an access token that only reads, or a view; their responses have no secrets. */
  readonly scope: AccessTokenScope
  /** Time of the session's last proof of identity, in Unix seconds; 0 for an access token, which proves nothing. */
  readonly provenAt: number
}

/** A caller with a relay API key: the key and its owner, as a relayed call would find them. */
export interface KeyCaller {
  readonly tokenId: number
  readonly tokenName: string
  readonly userId: number
  readonly username: string
  readonly role: Role
  /** The group that the key's calls are routed and priced by. */
  readonly group: string
  readonly via: 'relay-key'
}
