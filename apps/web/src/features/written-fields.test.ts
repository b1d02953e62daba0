import { describe, expect, it } from 'bun:test'
import {
  channelCreateBody,
  channelUpdateBody,
  notificationSettingBody,
  redemptionCreateBody,
  redemptionUpdateBody,
  selfUpdateBody,
  tokenCreateBody,
  tokenFields,
  tokenUpdateBody,
  userCreateBody,
  userUpdateBody,
} from '@tollgate/api'
import {
  accountRefusedFields,
  channelRefusedFields,
  mailRefusedFields,
  walletRefusedFields,
} from '@tollgate/api/refused-fields'
import { fieldsByCode } from '../components/form/index.ts'
import { formFieldOf } from './channels/form/form-fields.ts'
import { fieldOfRefusal as channelPositions } from './channels/form/refusals.ts'
import { formNames as notificationNames } from './personal/settings/setting-form.ts'
import { fieldLabels as codeLabels, fieldOf as codePositions } from './redemptions/code-form.ts'
import { fieldOfRefusal as registerPositions } from './register/form.ts'
import { fieldLabels as tokenLabels, fieldOf as tokenPositions } from './tokens/form/token-form.ts'
import {
  plainFields as plainUser,
  fieldLabels as userLabels,
  formNames as userNames,
  fieldOfRefusal as userPositions,
} from './users/form/rules.ts'

type Texts = { readonly [key: string]: string | Texts }
type Labels = Readonly<Record<string, string>>

/** The form that edits a resource. */
interface Form {
  readonly file: string
  /** Bodies of the calls that it makes. */
  readonly bodies: readonly { readonly shape: object }[]
  /** The text that names a field, as `namespace:key`; nothing where the form has no place for it. */
  readonly labelOf: (wire: string) => string | undefined
  /** Reasons for which a field is not in the form. */
  readonly reasons: Labels
}

const limits = ['requests_per_minute', 'tokens_per_minute', 'concurrency']
const labelIn =
  (namespace: string, labels: Labels, nameOf = (wire: string): string | undefined => wire) =>
  (wire: string) => {
    const key = labels[nameOf(wire) ?? '']
    if (key !== undefined) return `${namespace}:${key}`
    return limits.includes(wire) ? `common:rateLimit.${wire}` : undefined
  }

const always: Labels = { id: 'names the record', base: 'what the edit was made on' }
const bindings: Labels = Object.fromEntries(
  ['email', 'github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id'].map((name) => [
    name,
    'bound by its owner',
  ]),
)
const switched = 'lists switch it'
/** Fields of a key that its form shows as they are. */
const plain = new Set(tokenFields.filter(({ section }) => section === 'plain').map(({ name }) => name))

const forms: Readonly<Record<string, Form>> = {
  channel: {
    file: 'apps/web/src/features/channels/form/form-fields.ts',
    bodies: [channelCreateBody, channelUpdateBody],
    labelOf: (wire) => {
      const field = formFieldOf(wire)
      return field && `channels:field.${field} or fields:${field}`
    },
    reasons: {
      status: switched,
      mode: 'one channel or several: a choice beside the keys',
      max_input_tokens: 'stored for programs of the contract; no call is routed or cut by it',
    },
  },
  key: {
    file: 'apps/web/src/features/tokens/form/token-form.ts',
    bodies: [tokenCreateBody, tokenUpdateBody],
    labelOf: (wire) =>
      labelIn('tokens', tokenLabels)(wire) ?? (plain.has(wire) ? `fields:${wire}` : undefined),
    reasons: { status: switched },
  },
  code: {
    file: 'apps/web/src/features/redemptions/code-form.ts',
    bodies: [redemptionCreateBody, redemptionUpdateBody],
    labelOf: labelIn('redemptions', codeLabels),
    reasons: { status: switched },
  },
  user: {
    file: 'apps/web/src/features/users/form/rules.ts',
    bodies: [userCreateBody, userUpdateBody],
    labelOf: (wire) =>
      labelIn('users', userLabels, (name) => (userNames as Labels)[name])(wire) ??
      (plainUser.some(({ name }) => name === wire) ? `fields:${wire}` : undefined),
    reasons: {
      ...bindings,
      quota: 'a dialog of its own adds to the balance',
      quota_change: 'a dialog of its own adds to the balance',
      reason: 'asked in the dialog of the balance',
      role: 'an act of the list',
      status: switched,
      aff_code: 'no edit changes it',
      inviter_id: 'no edit changes it',
    },
  },
}

async function textsOf(language: string, namespace: string): Promise<Texts> {
  const read = async (file: string) =>
    (await Bun.file(`${import.meta.dir}/../i18n/${language}/${file}.json`).json()) as Texts
  // The texts of every page are two files.
  return namespace === 'common'
    ? { ...(await read('common')), ...(await read('pages')) }
    : await read(namespace)
}

/** @param labels a key, or several of which one is enough: `channels:field.tag or fields:tag` */
async function hasText(language: string, labels: string): Promise<boolean> {
  const found = await Promise.all(labels.split(' or ').map((label) => textOf(language, label)))
  return found.some((text) => typeof text === 'string' && text !== '')
}

async function textOf(language: string, label: string): Promise<string | Texts | undefined> {
  const [namespace = '', key = ''] = label.split(':')
  return key
    .split('.')
    .reduce<string | Texts | undefined>(
      (texts, part) => (typeof texts === 'object' ? texts[part] : undefined),
      await textsOf(language, namespace),
    )
}

/** Returns the faults in the names of a form's fields, one line a field. */
async function unnamed(name: string, form: Form): Promise<string[]> {
  const written = form.bodies.flatMap(({ shape }) => Object.keys(shape))
  const fields = [...new Set(written)].filter((field) => !(field in always))
  const found: string[] = []
  for (const field of fields)
    for (const what of await faultsOf(field, form)) found.push(`${name}.${field}: ${what}`)
  const stale = Object.keys(form.reasons).filter((field) => !fields.includes(field))
  return [...found, ...stale.map((field) => `${name}.${field}: a reason for no field; ${form.file}`)]
}

async function faultsOf(field: string, { file, labelOf, reasons }: Form): Promise<string[]> {
  const label = labelOf(field)
  if (label === undefined) return field in reasons ? [] : [`not in the form; ${file}`]
  if (field in reasons) return [`a reason for a field of the form; ${file}`]
  const languages = ['en', 'zh'] as const
  const named = await Promise.all(languages.map((language) => hasText(language, label)))
  return languages
    .filter((_, index) => !named[index])
    .map((language) => `no name in ${language}; ${file} (${label})`)
}

describe('a field that a call writes', () => {
  it.each(Object.keys(forms))(
    'of a %s is named by its form in both languages, or has a reason',
    async (name) => {
      expect(await unnamed(name, forms[name] as Form)).toEqual([])
    },
  )

  it('is named in one line where the form, a language or the reason is missing', async () => {
    const form: Form = {
      file: 'form.ts',
      bodies: [{ shape: { id: 0, remark: 0, name: 0, type: 0, colour: 0 } }],
      labelOf: labelIn('channels', { name: 'field.name', type: 'field.nowhere', colour: 'field.tag' }),
      reasons: { colour: 'nobody sees it', gone: 'was there' },
    }
    expect(await unnamed('box', form)).toEqual([
      'box.remark: not in the form; form.ts',
      'box.type: no name in en; form.ts (channels:field.nowhere)',
      'box.type: no name in zh; form.ts (channels:field.nowhere)',
      'box.colour: a reason for a field of the form; form.ts',
      'box.gone: a reason for no field; form.ts',
    ])
  })

  it('has a name where two people have changed it, in both languages', async () => {
    // A conflict in the form of a channel has the form's own names.
    const edits = {
      key: tokenUpdateBody,
      code: redemptionUpdateBody,
      user: userUpdateBody,
      account: selfUpdateBody,
      notification: notificationSettingBody,
    }
    const missing: string[] = []
    for (const [name, { shape }] of Object.entries(edits))
      for (const field of Object.keys(shape).filter(
        (each) => !(each in always) && !(each in bindings) && !(each in unmade),
      ))
        for (const language of ['en', 'zh'])
          if (!(await hasText(language, `conflicts:field.${field} or fields:${field}`)))
            missing.push(`${name}.${field}: no name in a conflict; apps/web/src/i18n/${language}/fields.json`)
    expect(missing).toEqual([])
  })
})

/** Fields of which no base is sent, because they are never read or no edit changes them. */
const unmade: Labels = Object.fromEntries(
  [
    'key',
    'password',
    'original_password',
    'quota_change',
    'reason',
    'role',
    'aff_code',
    'inviter_id',
    'verification_code',
    'webhook_url',
    'webhook_secret',
  ].map((name) => [name, 'has no base']),
)

/** Refusals about a field that no form of the console has; `{field}` is placed by its sentence. */
const unplaced: Labels = {
  setup_username_empty: 'the set-up page checks it itself',
  setup_code_wrong: 'the set-up page has it beside its code',
  login_fields_empty: 'the login page checks it itself',
  credentials_missing: 'the forms check it themselves',
  balance_out_of_range: 'the dialog of the balance has it above',
  user_balance_out_of_range: 'the dialog of the balance has it above',
  chat_host_invalid: 'the console sends hosts of its own links',
  email_not_admitted: 'of a log-in elsewhere, which has no form',
  correction_span_empty: 'the page of corrections has it below the selection',
  correction_span_open: 'the page of corrections has it below the selection',
  correction_price_without_model: 'the page of corrections has it below the selection',
  correction_too_large: 'the page of corrections has it below the selection',
}

describe('a refusal about a field', () => {
  it('has a place in a form, or a reason why none has the field', () => {
    const placed = new Set([
      ...Object.keys({
        ...channelPositions,
        ...tokenPositions,
        ...codePositions,
        ...userPositions,
        ...registerPositions,
      }),
      ...Object.keys(fieldsByCode({ ...accountRefusedFields, ...mailRefusedFields }, notificationNames)),
      ...Object.keys(
        fieldsByCode(walletRefusedFields, { key: 'key', amount: 'amount', payment_method: 'method' }),
      ),
      ...Object.keys(
        fieldsByCode(accountRefusedFields, {
          name: 'name',
          code: 'code',
          expires_at: 'days',
          quota: 'amount',
          original_password: 'original',
        }),
      ),
    ])
    const about = Object.entries({
      ...channelRefusedFields,
      ...accountRefusedFields,
      ...walletRefusedFields,
      ...mailRefusedFields,
    })
      .filter(([, position]) => typeof position === 'string' && position !== '{field}')
      .map(([code]) => code)
    const homeless = about.filter((code) => !placed.has(code) && !(code in unplaced))
    expect(
      homeless.map((code) => `${code}: no form has its field; packages/api/src/errors/refused-fields.ts`),
    ).toEqual([])
    expect(channelPositions['channel_groups_required']).toBe('groups')
  })
})
