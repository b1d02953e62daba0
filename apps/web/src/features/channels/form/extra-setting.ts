/** What the form has controls for; every other key of `setting` stays in its JSON untouched. */
export interface ExtraSetting {
  readonly force_format: boolean
  readonly thinking_to_content: boolean
  readonly proxy: string
}

export type SettingProblem = 'settingNotJson' | 'settingNotFlag' | 'settingProxy'

/** Values of the controls; `undefined` while the text is no JSON object and only its JSON can be edited. */
export function readSetting(text: string): ExtraSetting | undefined {
  const setting = parse(text)
  return (
    setting && {
      force_format: setting.force_format === true,
      thinking_to_content: setting.thinking_to_content === true,
      proxy: typeof setting.proxy === 'string' ? setting.proxy : '',
    }
  )
}

/** The text with one control changed. A control that is off leaves no key behind, and no keys no text. */
export function withSetting<Key extends keyof ExtraSetting>(
  text: string,
  key: Key,
  value: ExtraSetting[Key],
): string {
  const { [key]: _old, ...others } = parse(text) ?? {}
  const setting = value === false || value === '' ? others : { ...others, [key]: value }
  return Object.keys(setting).length === 0 ? '' : JSON.stringify(setting, null, 2)
}

export function settingProblem(text: string): SettingProblem | undefined {
  const setting = parse(text)
  if (!setting) return 'settingNotJson'
  const { force_format = false, thinking_to_content = false, proxy = '' } = setting
  if (typeof (force_format ?? false) !== 'boolean' || typeof (thinking_to_content ?? false) !== 'boolean') {
    return 'settingNotFlag'
  }
  return isProxy(proxy ?? '') ? undefined : 'settingProxy'
}

function isProxy(value: unknown): boolean {
  return value === '' || (typeof value === 'string' && isHttpAddress(value.trim()))
}

export function isHttpAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return value as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}
