import { type SettingKey, settingKeys, settingOf } from '../../../packages/api/src/settings/index.ts'
import type { Operator } from '../operator.ts'

interface OptionRow {
  readonly key: string
  readonly value: string
  readonly is_set?: boolean
}

/** Options whose entries have a form of their own. */
const entries: Readonly<Partial<Record<SettingKey, string>>> = {
  OutboundAllowedRanges: '127.0.0.0/8',
  AdminAllowedRanges: '127.0.0.0/8',
  ChatTrustedHosts: 'https://guard.example',
  EmailDomainWhitelist: 'guard.example',
}

/** Options that the walk leaves alone, each with the reason. */
export const unwalkedOptions: Readonly<Partial<Record<SettingKey, string>>> = {
  AdminSecondFactorRequired: 'needs a second factor of its writer: accounts/second-factor',
}

/** Switches that need another switch. */
const switchNeeded: Readonly<Partial<Record<SettingKey, SettingKey>>> = {
  EmailDomainRestrictionEnabled: 'EmailVerificationEnabled',
}

/** Another text than the default; nothing for a map, whose entries are walked as such (`console/edits`). */
function otherText(key: SettingKey): string | undefined {
  const { control, default: initial } = settingOf(key)
  switch (control.kind) {
    case 'flag':
      return String(initial !== true)
    case 'integer':
      return String(Number(initial) < control.max ? Number(initial) + 1 : control.min)
    case 'decimal':
      return String(Number(initial) / 2 >= control.min ? Number(initial) / 2 : Number(initial) + 1)
    case 'choice':
      return control.choices.find((choice) => choice !== initial)
    case 'text':
      return control.url ? 'https://guard.example' : 'guard'
    case 'lines':
    case 'commas':
      return entries[key] ?? 'guard'
    case 'secret':
      return 'guard-secret'
    case 'json':
      return Array.isArray(initial) ? JSON.stringify(initial.slice(1)) : undefined
  }
}

/** Writes every option of the catalogue; returns what is not read back, or is not in the audit log. */
export async function walkOptions(root: Operator): Promise<readonly string[]> {
  const written = settingKeys.filter((key) => otherText(key) !== undefined && !(key in unwalkedOptions))
  const isFlag = (key: SettingKey) => settingOf(key).control.kind === 'flag'
  const faults: string[] = []
  // A switch may need other options.
  for (const key of [...written.filter((each) => !isFlag(each)), ...written.filter(isFlag)]) {
    const needed = switchNeeded[key]
    if (needed !== undefined) await root.option(needed, 'true')
    faults.push(...(await walkOption(root, key, otherText(key) ?? '')))
    for (const each of isFlag(key) ? [key, ...(needed === undefined ? [] : [needed])] : [])
      await root.api('PUT', '/api/option/', { key: each, clear: true })
  }
  return faults
}

async function walkOption(root: Operator, key: SettingKey, text: string): Promise<readonly string[]> {
  const finding = (what: string, file: string) => [`option.${key}: ${what}; ${file}`]
  try {
    await root.option(key, text)
  } catch (error) {
    return finding(
      `${JSON.stringify(text)} is refused (${error}), it needs a value of its own`,
      'tests/support/fields/options.ts',
    )
  }
  const isSecret = settingOf(key).control.kind === 'secret'
  const row = (await root.api<OptionRow[]>('GET', '/api/option/')).find((each) => each.key === key)
  const isRead = isSecret ? row?.is_set === true && row.value === '' : row?.value === text
  const [entry] = (await root.api<Page>('GET', '/api/audit_log/?p=1&page_size=1&target_kind=option')).items
  const isAudited = entry?.target_name === key && (isSecret || entry.after.includes(JSON.stringify(text)))
  return [
    ...(isRead ? [] : finding('not in the read-back of GET /api/option/', 'apps/server/src/settings')),
    ...(isAudited
      ? []
      : finding('not in the audit entry of options.set', 'apps/server/src/settings/change-options.ts')),
  ]
}

interface Page {
  readonly items: readonly { readonly target_name: string; readonly after: string }[]
}
