import { randomBytes } from 'node:crypto'
import {
  type CallArguments,
  type CallData,
  type calls,
  hasPart,
  type Language,
  nameOf,
  roles,
} from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { z } from 'zod'
import type { DeliveryQueue } from '../../../lib/outbound/delivery-queue.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Actor } from '../../../records/audit-log/audit-log.ts'
import { requirePart } from '../../../records/audit-log/require-part.ts'
import type { Services } from '../../../services.ts'
import type { LockedSettingsReader } from '../../../settings/settings.ts'
import { invitationPurpose, type OneTimeSecret } from '../../../store/accounts/one-time-secrets.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { Store } from '../../../store/store.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { invitationMessage } from '../../mail/templates.ts'
import { partsOf } from '../admin-parts.ts'
import type { CreateAccount } from '../create-account.ts'
import { mailAddressOf } from '../email-verification.ts'
import type { Credentials } from '../login/credentials.ts'
import {
  type Passwords,
  refuseBadPassword,
  refuseBadUsername,
  refuseForeignAddress,
} from '../login/passwords.ts'
import { refuseBeyond } from '../owned-rows.ts'
import type { RecipientLimit } from '../recipient-limit.ts'
import { activeUser, isOpenAccount } from '../stored-users.ts'
import { factsOfOpening, isInboxOf } from './near-accounts.ts'
import { refuseUnknownGroup } from './ranks.ts'

const purpose = invitationPurpose
const idBytes = 8
const secretBytes = 32
const idLength = idBytes * 2
const secondsPerDay = 86_400
/** Open ones of one administrator. */
const maxOpen = 200

interface Dependencies extends Pick<Services, 'store' | 'vault' | 'clock' | 'auditLog'> {
  readonly settings: LockedSettingsReader
  readonly credentials: Pick<Credentials, 'write'>
  readonly createAccount: CreateAccount
  readonly passwords: Pick<Passwords, 'hash'>
  readonly mailer: Mailer
  readonly deliveries: Pick<DeliveryQueue, 'add'>
  readonly limit: RecipientLimit
}

type InvitationBody = CallArguments<typeof calls.invitations.create>['body']
type Created = CallData<typeof calls.invitations.create>
type Row = CallData<typeof calls.invitations.list>[number]
type Visible = CallData<typeof calls.invitations.look>

/** Role, group and balance that a stored invitation grants. */
const offer = z.object({
  role: z.literal([roles.common, roles.admin]),
  group: z.string(),
  quota: z.number(),
  note: z.string(),
})
type Offer = z.output<typeof offer>

/** A person who takes an invitation. */
interface Taking {
  readonly token: string
  readonly username: string
  readonly password: string
}

/**
 * Invitations by a link. Each is a one-time secret of its inviter: it ends with the inviter's credentials, and gives no more than the
 * inviter may give when it is taken.
 */
export function createInviting(deps: Dependencies) {
  const { store, settings, vault, clock, auditLog } = deps
  const hashOf = (id: string, secret: string) => vault.hash(`${purpose} ${id} ${secret}`)

  async function findOpen(token: string): Promise<OneTimeSecret> {
    const [id, secret] = [token.slice(0, idLength), token.slice(idLength)]
    const found = await store.oneTimeSecrets.find(purpose, id)
    const isOpen = found !== undefined && found.expiresAt > unixSeconds(clock)
    if (!isOpen || found.secretHash !== hashOf(id, secret)) throw new Refusal('invitation_invalid')
    return found
  }

  /** Mails the link in the background; false where mail is not set up. */
  function mail(
    to: string,
    facts: { readonly token: string; readonly inviter: string; readonly days: number },
    language: Language,
  ): boolean {
    const { SystemName: systemName, ServerAddress: address } = settings.current
    if (to === '' || !deps.mailer.isConfigured || address === '') return false
    const link = `${address}/invitation?token=${facts.token}`
    const message = invitationMessage({
      systemName,
      link,
      inviter: facts.inviter,
      days: facts.days,
      language,
    })
    const about = { userId: 0, mail: 'invitation' }
    deps.deliveries.add({ kind: 'mail', about, send: () => deps.mailer.send({ to, ...message }) })
    return true
  }

  return {
    async list(reader: Actor): Promise<readonly Row[]> {
      const owner = reader.role === 'root' ? undefined : reader.userId
      const open = await store.oneTimeSecrets.listOpen(purpose, unixSeconds(clock), owner)
      const inviters = await store.users.listByIds([...new Set(open.map(({ userId }) => userId))])
      return open.map(({ subject: id, data, createdAt, expiresAt, userId }) => ({
        id,
        ...offerIn(data),
        created_at: createdAt,
        expires_at: expiresAt,
        inviter_name: inviters.get(userId)?.username ?? '',
      }))
    },

    /** @throws Refusal for a role, group or balance that the actor may not give */
    async create(actor: Actor, body: InvitationBody, language: Language): Promise<Created> {
      const given: Offer = offer.parse(body)
      refuseGenerous(actor, given)
      const to = body.email === '' ? '' : mailAddressOf(body.email)
      const inviter = activeUser(await store.users.find(actor.userId))
      if (to !== '' && actor.role !== 'root' && isInboxOf(inviter, to))
        throw new Refusal('user_near_administrator')
      if (to !== '') await deps.limit.take(to)
      const id = randomBytes(idBytes).toString('hex')
      const secret = randomBytes(secretBytes).toString('base64url')
      const createdAt = unixSeconds(clock)
      const expiresAt = createdAt + body.days * secondsPerDay
      await deps.credentials.write(inviter, async (tx, account) => {
        await refuseBeyond(tx, actor.userId, { kind: 'invitation', max: maxOpen, now: createdAt })
        await refuseUnknownGroup(settings, tx, given.group)
        const secretHash = hashOf(id, secret)
        const stored = { purpose, subject: id, secretHash, data: JSON.stringify(given), createdAt, expiresAt }
        await tx.oneTimeSecrets.putOwn(account, stored)
        const target = { kind: 'invitation', name: given.note || id } as const
        const after = { ...given, expires_at: expiresAt }
        await auditLog.record(actor, { action: 'invitation.create', target, after }, tx)
      })
      const token = id + secret
      const mailed = mail(to, { token, inviter: actor.username, days: body.days }, language)
      return { id, token, expires_at: expiresAt, mailed }
    },

    async revoke(actor: Actor, id: string): Promise<void> {
      const owner = actor.role === 'root' ? undefined : actor.userId
      await store.transaction(async (tx) => {
        const revoked = await tx.oneTimeSecrets.remove(purpose, id, owner)
        if (revoked === undefined) throw new Refusal('record_not_found')
        const before = offerIn(revoked.data)
        const target = { kind: 'invitation', name: before.note || id } as const
        await auditLog.record(actor, { action: 'invitation.revoke', target, before }, tx)
      })
    },

    async look(token: string): Promise<Visible> {
      const { data, userId, expiresAt } = await findOpen(token)
      const inviter = await store.users.find(userId)
      return { role: offerIn(data).role, inviter_name: inviter?.username ?? '', expires_at: expiresAt }
    },

    accept: async (taking: Taking, address: string): Promise<User> =>
      openInvited(deps, await findOpen(taking.token), taking, address),
  }
}

export type Inviting = ReturnType<typeof createInviting>

/** Opens the account of an invitation and uses it up, both or neither; of two who take it at once one gets it. */
async function openInvited(
  { clock, settings, auditLog, createAccount, passwords }: Dependencies,
  { userId, subject, secretHash, data }: OneTimeSecret,
  { username, password }: Taking,
  address: string,
): Promise<User> {
  const given = offerIn(data)
  refuseBadUsername(username)
  refuseForeignAddress(username, '')
  refuseBadPassword(password)
  const role = nameOf(roles, given.role) ?? 'common'
  const fields = { username, displayName: username, passwordHash: await passwords.hash(password) }
  const also = async (tx: Store, user: User) => {
    const inviter = await tx.users.lock(userId)
    const taken = await tx.oneTimeSecrets.take(purpose, subject, secretHash, unixSeconds(clock))
    if (taken === undefined) throw new Refusal('invitation_invalid')
    const actor = inviterOf(inviter, given, address)
    await refuseUnknownGroup(settings, tx, given.group)
    await giveQuota(tx, actor, user, given.quota)
    const target = { kind: 'user', id: user.id, name: username } as const
    const facts = factsOfOpening(actor, { group: given.group, hasBalance: given.quota > 0 })
    const after = { ...given, ...facts }
    await auditLog.record(actor, { action: 'invitation.accept', target, after }, tx)
  }
  return await createAccount({ ...fields, role, group: given.group }, { also })
}

/** @throws Refusal for an inviter who may no longer give that */
function inviterOf(inviter: User | undefined, given: Offer, address: string): Actor {
  if (!isOpenAccount(inviter)) throw new Refusal('invitation_invalid')
  const { id: userId, username, role } = inviter
  const actor = { userId, username, role, address, parts: partsOf(inviter) }
  if (!mayGive(actor, given)) throw new Refusal('invitation_invalid')
  return actor
}

/** Somebody invites to lower ranks alone, and gives quota with the part for it. */
function mayGive(actor: Actor, { role, quota }: Offer): boolean {
  const isBelow = role < roles[actor.role] && (role === roles.common || actor.role === 'root')
  return isBelow && hasPart(actor, 'users') && (quota === 0 || hasPart(actor, 'money'))
}

function refuseGenerous(actor: Actor, given: Offer): void {
  if (given.quota > 0) requirePart(actor, 'money')
  if (!mayGive(actor, given)) throw new Refusal('user_promote_needs_root')
}

function offerIn(data: string): Offer {
  return offer.parse(JSON.parse(data))
}

/** Not through the ledger: no process can have the new account in memory. */
async function giveQuota(tx: Store, actor: Actor, { id, createdAt }: User, amount: number): Promise<void> {
  if (amount === 0) return
  const entry = { cause: 'admin-change', actorId: actor.userId, note: 'invitation', createdAt } as const
  await tx.ledger.credit({ ...entry, accountKind: 'user', accountId: id, amount })
}
