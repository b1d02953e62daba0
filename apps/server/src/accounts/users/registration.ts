import type { RegisterBody } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../../lib/refusal.ts'
import type { Services } from '../../services.ts'
import { needsVerifiedAddress } from '../../settings/requirements.ts'
import type { User } from '../../store/accounts/users.ts'
import type { CreateAccount } from './create-account.ts'
import {
  type EmailCodes,
  type EmailSettings,
  mailAddressOf,
  refuseUnwelcomeAddress,
} from './email-verification.ts'
import {
  type Passwords,
  refuseBadPassword,
  refuseBadUsername,
  refuseForeignAddress,
} from './login/passwords.ts'
import type { Setup } from './setup.ts'

type RegistrationSettings = EmailSettings &
  Pick<SettingValues, 'RegisterEnabled' | 'PasswordRegisterEnabled' | 'EmailVerificationEnabled'>

interface Dependencies extends Pick<Services, 'store' | 'settings'> {
  readonly setup: Pick<Setup, 'isDone'>
  readonly codes: EmailCodes
  readonly passwords: Pick<Passwords, 'hash'>
  readonly createAccount: CreateAccount
  /** Runs after an account was opened. */
  readonly giveFirstKey?: (user: User) => Promise<void>
}

/** The visitor who registers, beside the form. */
export interface Registrant {
  /** Id of a visitor with a session: codes are mailed to them for that account. */
  readonly userId: number | undefined
  /** Refuses visitors who fail the human check; runs once the form is valid, because each token is valid once. */
  checkHuman(): Promise<void>
}

/**
 * Opens an account for a username and a password. Stores the address only when the site verifies addresses and the
 * mailed code is right. Checks first what can be refused without using up proofs.
 */
export function createRegistration(deps: Dependencies) {
  const { store, settings, setup, codes, passwords, createAccount } = deps

  async function inviterId(code: string): Promise<number> {
    const inviter = code === '' ? undefined : await store.users.findByIdentity('affCode', code)
    return inviter?.id ?? 0
  }

  return async (body: RegisterBody, { userId, checkHuman }: Registrant): Promise<void> => {
    refuseClosed(settings.current)
    if (!(await setup.isDone())) throw new Refusal('setup_required')
    const { username, password } = body
    const email = needsVerifiedAddress(settings.current) ? claimedAddress(body, settings.current) : ''
    refuseBadForm(body, email)
    await checkHuman()
    if ((await store.users.idsByUsername(username)).length > 0) throw new Refusal('username_taken')
    if (email !== '') await codes.redeem({ email, userId }, body.verification_code)
    const user = await createAccount({
      username,
      displayName: username,
      passwordHash: await passwords.hash(password),
      email,
      inviterId: await inviterId(body.aff_code),
    })
    await deps.giveFirstKey?.(user)
  }
}

function refuseClosed({ RegisterEnabled, PasswordRegisterEnabled }: RegistrationSettings): void {
  if (!RegisterEnabled) throw new Refusal('registration_disabled')
  if (!PasswordRegisterEnabled) throw new Refusal('password_registration_disabled')
}

function refuseBadForm({ username, password, password2 }: RegisterBody, email: string): void {
  if (username.trim() === '' || password === '') throw new Refusal('credentials_missing')
  refuseBadUsername(username)
  refuseForeignAddress(username, email)
  refuseBadPassword(password)
  if (typeof password2 === 'string' && password2 !== password) throw new Refusal('password_mismatch')
}

function claimedAddress({ email, verification_code }: RegisterBody, settings: EmailSettings): string {
  if (email.trim() === '' || verification_code.trim() === '') throw new Refusal('email_and_code_required')
  const address = mailAddressOf(email)
  refuseUnwelcomeAddress(address, settings)
  return address
}
