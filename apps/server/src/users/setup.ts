import type { SetupBody, SetupStatus } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import { Refusal } from '../lib/refusal.ts'
import type { OptionChange, Settings } from '../settings/settings.ts'
import type { ChangeBus } from '../store/change-events.ts'
import { DuplicateError } from '../store/errors.ts'
import type { NewUser } from '../store/repositories/users.ts'
import type { Store } from '../store/store.ts'
import { refuseBadPassword, refuseBadUsername } from './auth/credential-rules.ts'
import type { Passwords } from './auth/passwords.ts'
import { newAccount } from './create-account.ts'

/** What the first administrator starts with, so that the first call works. */
export const rootInitialQuota = 100_000_000

export interface Setup {
  /** Whether the installation is set up. Rejects when the database does not answer: unknown is not "no". */
  isDone(): Promise<boolean>
  status(): Promise<Omit<SetupStatus, 'code_required'>>
  /** Creates the first administrator and chooses the mode; once in the life of an installation. */
  run(form: SetupForm): Promise<void>
  /** At start: an installation that has an administrator already (an imported one) counts as set up. */
  adoptExisting(): Promise<void>
}

/** What is asked of the first administrator, once they may be it. */
type SetupForm = Omit<SetupBody, 'code'>

interface Dependencies {
  readonly store: Store
  readonly settings: Pick<Settings, 'change'>
  readonly events: ChangeBus
  readonly passwords: Pick<Passwords, 'hash'>
  readonly clock: Clock
  /** Version of the product, written beside the date of setup. */
  readonly version: string
}

export function createSetup({ store, settings, events, passwords, clock, version }: Dependencies): Setup {
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
    isDone,

    async status() {
      if (await isDone()) return { status: true, root_init: false, database_type: '' }
      return { status: false, root_init: await store.users.rootExists(), database_type: store.kind }
    },

    async run(body) {
      if (await isDone()) throw new Refusal('setup_already_done')
      const root = (await store.users.rootExists()) ? undefined : await rootFrom(body)
      let rootId: number | undefined
      await settings.change(modeOf(body), async (tx) => {
        rootId = await complete(tx, root, version, unixSeconds(clock))
      })
      done = true
      if (rootId !== undefined) events.publish('user-changed', { id: rootId })
    },

    async adoptExisting() {
      if ((await isDone()) || !(await store.users.rootExists())) return
      await store.setups.markDone(version, unixSeconds(clock))
      done = true
    },
  }
}

function modeOf({ SelfUseModeEnabled, DemoSiteEnabled }: SetupForm): readonly OptionChange[] {
  return [
    { key: 'SelfUseModeEnabled', text: String(SelfUseModeEnabled) },
    { key: 'DemoSiteEnabled', text: String(DemoSiteEnabled) },
  ]
}

/**
 * In the transaction that stores the mode. Its first statement decides between two setups at once: the second is refused. The first quota does not
 * go through the ledger: no node can have the new account in memory, and a crash must not leave a root without quota.
 */
async function complete(
  tx: Store,
  root: NewUser | undefined,
  version: string,
  at: number,
): Promise<number | undefined> {
  if (!(await tx.setups.markDone(version, at))) throw new Refusal('setup_already_done')
  if (root === undefined || (await tx.users.rootExists())) return undefined
  const { id } = await createNamed(tx, root)
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

async function createNamed(tx: Store, user: NewUser): Promise<{ readonly id: number }> {
  try {
    return await tx.users.create(user)
  } catch (error) {
    throw error instanceof DuplicateError ? new Refusal('username_taken', {}, { cause: error }) : error
  }
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
