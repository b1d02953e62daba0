import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { SetupBody, SetupStatus } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { sha256 } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Services } from '../../services.ts'
import type { OptionChange, Settings } from '../../settings/settings.ts'
import type { NewUser } from '../../store/accounts/users.ts'
import type { Store } from '../../store/store.ts'
import { newAccount } from './create-account.ts'
import { type Passwords, refuseBadPassword, refuseBadUsername } from './login/passwords.ts'
import { refusePrivilegedLookalike } from './privileged-names.ts'
import { refusingDuplicates } from './stored-users.ts'

/** The first administrator's initial quota, so that the first call works. */
export const rootInitialQuota = 100_000_000

/** The form of the first administrator. */
type SetupForm = Omit<SetupBody, 'code'>

interface Dependencies extends Pick<Services, 'store' | 'bus' | 'clock'> {
  readonly settings: Pick<Settings, 'change'>
  readonly passwords: Pick<Passwords, 'hash'>
  /** Version of the product, stored beside the date of setup. */
  readonly version: string
}

export function createSetup({ store, settings, bus, passwords, clock, version }: Dependencies) {
  let done = false

  async function isDone(): Promise<boolean> {
    done ||= await store.setups.isDone()
    return done
  }

  async function rootFrom(body: SetupForm): Promise<NewUser> {
    refuseBadCredentials(body)
    return newRoot(body.username, await passwords.hash(body.password), unixSeconds(clock))
  }

  return {
    /** Decides whether the installation is set up. Rejects when the database does not respond: unknown is not "no". */
    isDone,

    async status(): Promise<Omit<SetupStatus, 'code_required'>> {
      if (await isDone()) return { status: true, root_init: false, database_type: '' }
      return { status: false, root_init: await store.users.rootExists(), database_type: store.kind }
    },

    /** Creates the first administrator and chooses the mode; once in the life of an installation. */
    async run(body: SetupForm): Promise<void> {
      if (await isDone()) throw new Refusal('setup_already_done')
      const root = (await store.users.rootExists()) ? undefined : await rootFrom(body)
      let rootId: number | undefined
      await settings.change(modeOf(body), async (tx) => {
        rootId = await complete(tx, root, version, unixSeconds(clock))
      })
      done = true
      if (rootId !== undefined) bus.publish('user-changed', { id: rootId })
    },

    /** Marks an installation as set up at its start when it has an administrator already (an imported one). */
    async adoptExisting(): Promise<void> {
      if ((await isDone()) || !(await store.users.rootExists())) return
      await store.setups.markDone(version, unixSeconds(clock))
      done = true
    },
  }
}

export type Setup = ReturnType<typeof createSetup>

function modeOf({ SelfUseModeEnabled, DemoSiteEnabled }: SetupForm): readonly OptionChange[] {
  return [
    { key: 'SelfUseModeEnabled', text: String(SelfUseModeEnabled) },
    { key: 'DemoSiteEnabled', text: String(DemoSiteEnabled) },
  ]
}

/**
 * Completes the setup in the transaction that stores the mode. Its first statement decides between two setups at once: the
 * second is refused. The first quota does not go through the ledger: no node can have the new account in memory, and a crash
 * must not leave a root without quota.
 */
async function complete(
  tx: Store,
  root: NewUser | undefined,
  version: string,
  at: number,
): Promise<number | undefined> {
  if (!(await tx.setups.markDone(version, at))) throw new Refusal('setup_already_done')
  if (root === undefined || (await tx.users.rootExists())) return undefined
  await refusePrivilegedLookalike(tx, root)
  const { id } = await refusingDuplicates(tx.users.create(root), 'username_taken')
  await tx.ledger.credit({
    accountKind: 'user',
    accountId: id,
    cause: 'initial',
    amount: rootInitialQuota,
    createdAt: at,
    actorId: id,
    note: 'first-run setup',
  })
  return id
}

function refuseBadCredentials({ username, password, confirmPassword }: SetupForm): void {
  if (username.trim() === '') throw new Refusal('setup_username_empty')
  refuseBadUsername(username)
  refuseBadPassword(password)
  if (password !== confirmPassword) throw new Refusal('password_mismatch')
}

function newRoot(username: string, passwordHash: string, createdAt: number): NewUser {
  return newAccount({ username, displayName: 'Root User', passwordHash, role: 'root' }, createdAt)
}

/** Crockford's base 32: no letter looks like a digit or another letter. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 12
const { MAX_SAFE_INTEGER } = Number

const codeSecret = { purpose: 'set-up code', subject: 'site' } as const

/**
 * The code that a start prints: a visitor who shows it can read the server's output, and so may become the first
 * administrator. It derives from the master key and from what the database has, so that all nodes of a fleet accept the same
 * one; once the system is set up it is worth nothing.
 */
export function createSetupCode({ store, vault, clock }: Pick<Services, 'store' | 'vault' | 'clock'>) {
  async function current(): Promise<string> {
    const { purpose, subject } = codeSecret
    const secret = await store.oneTimeSecrets.attempt(purpose, subject, unixSeconds(clock), MAX_SAFE_INTEGER)
    const bytes = Buffer.from(vault.hash(`${purpose} ${secret?.data ?? ''}`), 'hex').subarray(0, codeLength)
    return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
  }

  return {
    /** Makes the codes of earlier starts wrong. */
    async renew(): Promise<void> {
      const data = randomBytes(16).toString('hex')
      const createdAt = unixSeconds(clock)
      await store.oneTimeSecrets.put({
        ...codeSecret,
        secretHash: '',
        data,
        createdAt,
        expiresAt: MAX_SAFE_INTEGER,
      })
    },
    /** `XXXX-XXXX-XXXX`: sixty bits. */
    async text(): Promise<string> {
      return (await current()).replace(/.{4}(?=.)/g, '$&-')
    },
    /** @throws Refusal `setup_code_wrong` */
    async check(code: string): Promise<void> {
      const [right, visible] = [await current(), asPrinted(code)].map((text) => Buffer.from(sha256(text)))
      if (right === undefined || visible === undefined || !timingSafeEqual(right, visible))
        throw new Refusal('setup_code_wrong')
    },
  }
}

/** The code as it was printed, however it was typed. */
function asPrinted(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
}
