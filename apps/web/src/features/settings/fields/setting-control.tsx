import { settingCatalogue } from '@tollgate/api/settings'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Input, Textarea } from '../../../components/ui/input.tsx'
import { JsonEditor } from '../../../components/ui/json-editor.tsx'
import { Select } from '../../../components/ui/select.tsx'
import { formatQuota } from '../../../lib/format.ts'
import { useMoneyDisplay } from '../../../lib/status.ts'
import type { ShownKey } from '../model/catalogue.ts'
import type { SettingControlProps } from './control-props.ts'

// Not on the first tab.
const DomainList = lazy(() => import('./domain-list.tsx').then((module) => ({ default: module.DomainList })))

/** The control for a setting of this kind. */
export function SettingControl(props: SettingControlProps) {
  const { setting, value, disabled, onChange, onLeave } = props
  const { control } = settingCatalogue[setting]
  switch (control.kind) {
    case 'integer':
    case 'decimal':
      return <NumberControl {...props} />
    case 'choice':
      return <ChoiceControl {...props} choices={control.choices} />
    case 'commas':
      return (
        <Suspense>
          <DomainList {...props} />
        </Suspense>
      )
    case 'json':
      return (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only hears that the focus leaves the editor
        <div onBlur={onLeave}>
          <JsonEditor value={value} disabled={disabled} onValueChange={onChange} />
        </div>
      )
    case 'text':
      if (!control.multiline)
        return (
          <Input
            value={value}
            disabled={disabled}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onLeave}
          />
        )
  }
  return (
    <Textarea
      rows={4}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onLeave}
    />
  )
}

/** Amounts of quota: said in currency beside the number. */
const amounts: ReadonlySet<ShownKey> = new Set([
  'QuotaForNewUser',
  'QuotaForInviter',
  'QuotaForInvitee',
  'QuotaRemindThreshold',
])

function NumberControl({ setting, value, disabled, onChange, onLeave }: SettingControlProps) {
  const display = useMoneyDisplay()
  const amount = Number(value)
  const preview = amounts.has(setting) && value.trim() !== '' && Number.isFinite(amount)
  return (
    <Input
      className="figures max-w-64"
      inputMode="decimal"
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onLeave}
      suffix={preview && <span className="figures">{formatQuota(amount, display)}</span>}
    />
  )
}

function ChoiceControl({
  choices,
  value,
  disabled,
  onChange,
}: SettingControlProps & { readonly choices: readonly string[] }) {
  const { t } = useTranslation('settings')
  const names: Readonly<Record<string, string>> = {
    hour: t('choice.hour'),
    day: t('choice.day'),
    week: t('choice.week'),
  }
  return (
    <Select
      className="max-w-64"
      value={value}
      disabled={disabled}
      onValueChange={onChange}
      options={choices.map((choice) => ({ value: choice, label: names[choice] ?? choice.toUpperCase() }))}
    />
  )
}
