import { chatTargetNamed, type SelfUpdateBody } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { z } from 'zod'
import { editOver } from '../../lib/merge-edit.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Services } from '../../services.ts'
import type { User } from '../../store/accounts/users.ts'
import type { Store } from '../../store/store.ts'
import { refuseFixedFields } from './fixed-fields.ts'
import { type AccountOwner, type Credentials, sessionHash } from './login/credentials.ts'
import type { AttemptLimiter } from './login/guesses/attempt-limiter.ts'
import {
  type Passwords,
  refuseBadDisplayName,
  refuseBadPassword,
  refuseBadUsername,
  refuseForeignAddress,
} from './login/passwords.ts'
import { revokeCredentials } from './login/revoke-credentials.ts'
import { refusePrivilegedLookalike } from './privileged-names.ts'
import { refusingDuplicates } from './stored-users.ts'
import { changeUserSetting } from './user-setting.ts'

interface Dependencies extends Pick<Services, 'store' | 'bus' | 'clock'> {
  readonly credentials: Pick<Credentials, 'writeOwn'>
  readonly passwords: Passwords
  readonly attempts: AttemptLimiter
}

const maxChatHosts = 100
const storedHosts = z.object({ chat_hosts: z.array(z.string()).catch([]).default([]) })

/** Changes that users make to their own accounts. */
export function createOwnAccount(deps: Dependencies) {
  const { store, credentials, passwords, attempts, bus, clock } = deps
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

  async function replacePassword(
    owner: AccountOwner,
    body: SelfUpdateBody,
    passwordHash: string,
  ): Promise<void> {
    const { sessionId = '', user } = owner
    await credentials.writeOwn(owner, async (tx, { id }) => {
      await tx.users.update(id, { ...(await namesIn(tx, user, body)), passwordHash })
      await revokeCredentials(tx, [id], 'password-changed', sessionHash(sessionId))
    })
  }

  return {
    /**
     * Changes one's own name, display name and password; empty fields stay. A new password ends everything else that opens
     * the account. The original password is verified where it is given; without it the edge asks for a recent proof.
     * @param owner whose session goes on
     */
    async update(owner: AccountOwner, body: SelfUpdateBody): Promise<void> {
      const { user } = owner
      refuseFixedFields(body, user)
      const written: Promise<unknown> =
        body.password === ''
          ? store.transaction(async (tx) => tx.users.update(user.id, await namesIn(tx, user, body)))
          : replacePassword(owner, body, await newPasswordHash(user, body))
      await refusingDuplicates(written, 'username_taken')
      bus.publish('user-changed', { id: user.id })
    },

    /**
     * Closes one's own account. The record stays with its name, address and logs until it is erased; sessions, access token and API keys
     * stop at once. Refuses for root, because no other user can run the installation.
     */
    async close(owner: AccountOwner): Promise<void> {
      const { id, role } = owner.user
      if (role === 'root') throw new Refusal('root_undeletable')
      await credentials.writeOwn(owner, async (tx: Store) => {
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
  if (known.length >= maxChatHosts) throw new Refusal('chat_hosts_too_many', { max: maxChatHosts })
  return [...known, host]
}

/** The new names of a user as they are while nobody else can change them. */
async function namesIn(tx: Store, user: User, body: SelfUpdateBody): Promise<Partial<User>> {
  const names = newNames((await tx.users.lock(user.id)) ?? user, body)
  if (names.username !== undefined) await refusePrivilegedLookalike(tx, { ...user, username: names.username })
  return names
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
