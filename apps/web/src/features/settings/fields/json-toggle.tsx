import { Braces, List } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import type { VisibleKey } from '../model/catalogue.ts'
import { fieldName } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'
import { ChangeMark } from './change-mark.tsx'
import { SettingField } from './setting-field.tsx'

export interface JsonToggleProps {
  readonly keys: readonly VisibleKey[]
  /** False while the JSON cannot be shown as a form. */
  readonly readable: boolean
  readonly problems: readonly (string | undefined)[]
  readonly children: () => ReactNode
}

/** Settings with a hand-made form, and their JSON for those who would rather write that. */
export function JsonToggle({ keys, readable, problems, children }: JsonToggleProps) {
  const { t } = useTranslation('settings')
  const [asJson, setAsJson] = useState(false)
  const showsForm = readable && !asJson
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button
          size="sm"
          icon={showsForm ? Braces : List}
          disabled={!readable}
          onClick={() => setAsJson(!asJson)}
        >
          {t(showsForm ? 'json.edit' : 'json.form')}
        </Button>
        {showsForm && keys.map((key) => <ChangeMark key={key} setting={key} />)}
      </div>
      {showsForm ? (
        <>
          {problems.map(
            (problem) =>
              problem && (
                <Notice key={problem} tone="bad">
                  {problem}
                </Notice>
              ),
          )}
          {children()}
        </>
      ) : (
        keys.map((key) => <SettingField key={key} setting={key} />)
      )}
    </>
  )
}

/** The typed text of a setting whose control is hand-made. */
export function useSettingText(key: VisibleKey) {
  const { form } = useSettings()
  const { field, fieldState } = useController({ control: form.control, name: fieldName(key) })
  return {
    text: field.value ?? '',
    error: fieldState.error?.message,
    change: (value: unknown) => field.onChange(JSON.stringify(value, null, 2)),
  }
}
