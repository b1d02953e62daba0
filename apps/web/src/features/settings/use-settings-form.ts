import { useQueryClient } from '@tanstack/react-query'
import { chargingOptions, type OptionRow } from '@tollgate/api'
import { isSecret } from '@tollgate/api/settings'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import {
  type EditBase,
  fresh,
  type Problems,
  RefusedFields,
  rebased,
  type SaveForm,
  useSaveForm,
} from '../../components/form/index.ts'
import { useStops } from '../../components/stops/index.ts'
import { ApiError } from '../../lib/api/api-client.ts'
import { statusQuery } from '../../lib/api/status.ts'
import { toast } from '../../lib/toast.ts'
import { saveSetting, settingsQuery } from './api.ts'
import { type VisibleKey, visibleKeys } from './model/catalogue.ts'
import { saveChanges } from './model/save-changes.ts'
import {
  changedKeys,
  fieldName,
  lacksAddress,
  problemOf,
  type SettingTexts,
  savedText,
  startTexts,
} from './model/texts.ts'
import { useProblemText } from './problem-text.ts'

export interface SettingsForm extends SaveForm<SettingTexts> {
  readonly changed: readonly VisibleKey[]
  /** The changed settings whose values cannot be saved. */
  readonly wrong: () => readonly VisibleKey[]
  /** Takes every change back. */
  readonly discard: () => void
}

/** All settings as one form. Only changed ones are checked and sent. */
export function useSettingsForm(rows: readonly OptionRow[]): SettingsForm {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const problemText = useProblemText()
  const withNames = useSettingNames()
  const { ask, offerUndo } = useStops()
  const start = useMemo(() => startTexts(rows), [rows])

  function sentenceOf(key: VisibleKey, values: SettingTexts): string | undefined {
    const problem = problemOf(key, values[fieldName(key)] ?? '')
    if (problem?.code === 'option_not_url' && key === 'oidc.well_known') return t('oidc.address')
    if (problem) return problemText(problem)
    return lacksAddress(key, values) ? t('payment.addressFirst') : undefined
  }
  function check(values: SettingTexts): Problems<SettingTexts> {
    return Object.fromEntries(
      changedKeys(start, values).map((key) => [fieldName(key), sentenceOf(key, values)]),
    )
  }
  /** Says before a save what it changes for callers, where it changes prices or ratios. */
  async function askAbout(values: SettingTexts): Promise<boolean> {
    const options = changedKeys(start, values)
      .filter(isCharging)
      .map((key) => ({ key, value: savedText(key, values[fieldName(key)] ?? '') }))
    if (options.length === 0) return true
    return await ask(
      { options },
      { title: t('stops.title'), confirmLabel: t('stops.confirm'), kind: 'price' },
    )
  }
  async function save(
    values: SettingTexts,
    { started, seen }: EditBase<SettingTexts>,
  ): Promise<readonly VisibleKey[]> {
    const before = rebased(Object.fromEntries(visibleKeys.map((key) => [key, started[fieldName(key)]])), seen)
    const changes = changedKeys(start, values).map((key) => ({
      key,
      value: savedText(key, values[fieldName(key)] ?? ''),
      ...(!isSecret(key) && { base: baseText(before[key]) }),
    }))
    const { saved, failures } = await saveChanges(changes, saveSetting)
    // A secret that was saved is not kept in the page.
    for (const { key } of saved) if (isSecret(key)) form.setValue(fieldName(key), '')
    if (saved.length > 0)
      await Promise.all(
        [settingsQuery, statusQuery].map((query) => client.invalidateQueries({ queryKey: query.queryKey })),
      )
    if (failures.length === 0) return saved.map(({ key }) => key)
    throw new RefusedFields(
      t(changes.length > 1 ? 'save.partial' : 'save.failed'),
      Object.fromEntries(failures.map(({ item, error }) => [fieldName(item.key), withNames(error.message)])),
      failures.flatMap(({ error }) => (error instanceof ApiError ? error.conflicts : [])),
    )
  }

  const saveForm = useSaveForm<SettingTexts, readonly VisibleKey[]>({
    start,
    check,
    ask: askAbout,
    save,
    nameOf: (key) => fieldName(key as VisibleKey),
    onSaved(keys) {
      form.reset(withoutSecrets(form.getValues()), fresh)
      const changes = keys.filter(isCharging).map((target) => ({ ...optionUpdate, target }))
      if (changes.length > 0) offerUndo(t('save.done'), changes)
      else toast.success(t('save.done'))
    },
  })
  const { form } = saveForm
  const typed = useWatch({ control: form.control })
  const changed = useMemo(() => changedKeys(start, typed as SettingTexts), [start, typed])
  return {
    ...saveForm,
    changed,
    wrong: () => changed.filter((key) => sentenceOf(key, form.getValues()) !== undefined),
    discard: () => form.reset(start, fresh),
  }
}

const optionUpdate = { action: 'option.update', kind: 'option' } as const

function isCharging(key: string): key is (typeof chargingOptions)[number] {
  return chargingOptions.some((known) => known === key)
}

/** A value that another person has saved comes as it is read, not as its text. */
function baseText(value: unknown): string {
  if (Array.isArray(value) || (typeof value === 'object' && value !== null)) return JSON.stringify(value)
  return String(value ?? '')
}

function withoutSecrets(values: SettingTexts): SettingTexts {
  const blank = visibleKeys.filter((key) => isSecret(key) && fieldName(key) in values)
  return { ...values, ...Object.fromEntries(blank.map((key) => [fieldName(key), ''])) }
}

/** Sentences of the server name settings by their keys; the page calls them by their labels. */
function useSettingNames(): (sentence: string) => string {
  const { t } = useTranslation('settings')
  return (sentence) =>
    sentence.replaceAll(/[A-Za-z]+(?:[._][a-z_]+)*/g, (word) => {
      const key = visibleKeys.find((known) => known === word)
      // `Price` and `Footer` are words too; the server's sentences have no other keys of one word.
      return key && /[a-z][A-Z.]|^[A-Z]{2}/.test(word) ? t(`field.${key}.label`) : word
    })
}
