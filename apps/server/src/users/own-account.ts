import { chatTargetNamed, type SelfUpdateBody } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { z } from 'zod'
import { editOver } from '../lib/merge-edit.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Services } from '../services.ts'
import type { User } from '../store/repositories/users.ts'
import type { AttemptLimiter } from './auth/attempt-limiter.ts'
import {
  type Passwords,
  refuseBadDisplayName,
  refuseBadPassword,
  refuseBadUsername,
  refuseForeignAddress,
} from './auth/passwords.ts'
import { revokeCredentials } from './auth/revoke-credentials.ts'
import { sessionHash } from './auth/sessions.ts'
import { refusePrivilegedLookalike } from './privileged-names.ts'
import { activeUser, refusingDuplicates } from './stored-users.ts'
import { changeUserSetting } from './user-setting.ts'

interface Dependencies extends Pick<Services, 'store' | 'bus' | 'clock'> {
  readonly passwords: Passwords
  readonly attempts: AttemptLimiter
}

const maximumChatHosts = 100
const storedHosts = z.object({ chat_hosts: z.array(z.string()).catch([]).default([]) })

/** Changes that users make to their own accounts. */
export function createOwnAccount({ store, passwords, attempts, bus, clock }: Dependencies) {
  function verifyOriginal(user: User, password: string): Promise<void> {
    return attempts.counted({ kind: 'password', account: user.id }, async () => {
      if (!(await passwords.verify(password, user.passwordHash))) throw new Refusal('original_password_wrong')
    })
  }

  async function newPasswordHash(user: User, body: SelfUpdateBody): Promise<string> {
    refuseBadPassword(body.password)
    if (body.original_password !== '') await verifyOriginal(user, body.original_password)
    return passwords.hash(body.password)
  }

  return {
    /**
     * Changes one's own name, display name and password; empty fields stay. A new password ends everything else that opens
     * the account. The original password is verified where it is given; without it the edge asks for a recent proof.
     * @param sessionId of the caller's session, which goes on
     */
    async update(user: User, body: SelfUpdateBody, sessionId: string | undefined): Promise<void> {
      const passwordHash = body.password === '' ? undefined : await newPasswordHash(user, body)
      const written = store.transaction(async (tx) => {
        const names = newNames((await tx.users.lock(user.id)) ?? user, body)
        if (names.username !== undefined)
          await refusePrivilegedLookalike(tx, { ...user, username: names.username })
        await tx.users.update(user.id, { ...names, ...(passwordHash !== undefined && { passwordHash }) })
        if (passwordHash !== undefined)
          await revokeCredentials(tx, [user.id], 'password-changed', sessionId && sessionHash(sessionId))
      })
      await refusingDuplicates(written, 'username_taken')
      bus.publish('user-changed', { id: user.id })
    },

    /**
     * Closes one's own account. The record stays with its name, address and logs; sessions, access token and API keys stop at
     * once. Refuses for root, because no other user can run the installation.
     */
    async close({ id, role }: Pick<User, 'id' | 'role'>): Promise<void> {
      if (role === 'root') throw new Refusal('root_undeletable')
      await store.transaction(async (tx) => {
        // The call may have passed the guard before an administrator banned or deleted its owner.
        const { status } = activeUser(await tx.users.lock(id), 'not_logged_in')
        if (status !== 'enabled') throw new Refusal('user_banned')
        await tx.users.update(id, { deletedAt: unixSeconds(clock) })
        await revokeCredentials(tx, [id], 'closed')
      })
      bus.publish('user-changed', { id })
    },

    /** Adds a target of chat links that may get the user's keys; returns all of the user's targets. */
    async confirmChatHost(user: User, text: string): Promise<readonly string[]> {
      const host = chatTargetNamed(text)
      if (host === undefined) throw new Refusal('chat_host_invalid')
      const { chat_hosts } = await changeUserSetting(store, user, (setting) => {
        const known = storedHosts.parse(setting).chat_hosts
        return { chat_hosts: known.includes(host) ? known : withHost(known, host) }
      })
      bus.publish('user-changed', { id: user.id })
      return chat_hosts
    },
  }
}

function withHost(known: readonly string[], host: string): readonly string[] {
  if (known.length >= maximumChatHosts) throw new Refusal('chat_hosts_too_many', { max: maximumChatHosts })
  return [...known, host]
}

/** Unchanged names are not checked: older names need not follow today's rules. */
function newNames(user: User, body: SelfUpdateBody): Partial<User> {
  const stored = { username: user.username, display_name: user.displayName }
  const { username = '', display_name: displayName = '' } = editOver<Partial<SelfUpdateBody>>(body, stored)
  const isRenamed = username !== '' && username !== user.username
  const isRetitled = displayName.trim() !== '' && displayName !== user.displayName
  if (isRenamed) {
    refuseBadUsername(username)
    refuseForeignAddress(username, user.email)
  }
  if (isRetitled) refuseBadDisplayName(displayName)
  return { ...(isRenamed && { username }), ...(isRetitled && { displayName }) }
}
