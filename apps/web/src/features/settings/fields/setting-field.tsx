import { settingCatalogue } from '@tollgate/api/settings'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FormField } from '../../../components/form/index.ts'
import { mayChange, type ShownKey } from '../model/catalogue.ts'
import { fieldName, type SettingTexts, savedText } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'
import { ChangeMark } from './change-mark.tsx'
import { FlagField } from './flag-field.tsx'
import { OidcEndpoints } from './oidc-endpoints.tsx'
import { SecretField } from './secret-field.tsx'
import { SettingControl } from './setting-control.tsx'

/** Settings that mean nothing while a switch is off. */
const neededSwitch: Partial<Record<ShownKey, ShownKey>> = {
  'general_setting.ping_interval_seconds': 'general_setting.ping_interval_enabled',
}

/** Buttons beside a control: below it they would move while they are pressed, with what is said of the value. */
const buttons: Partial<Record<ShownKey, () => ReactNode>> = {
  'oidc.well_known': () => <OidcEndpoints />,
}

/** One setting: its name, the control its kind asks for, what it does, and whether it was changed. */
export function SettingField({ setting }: { readonly setting: ShownKey }) {
  const { kind } = settingCatalogue[setting].control
  if (kind === 'flag') return <FlagField setting={setting} />
  if (kind === 'secret') return <SecretField setting={setting} />
  return <TypedField setting={setting} />
}

function TypedField({ setting }: { readonly setting: ShownKey }) {
  const { t } = useTranslation('settings')
  const { form, role } = useSettings()
  const name = fieldName(setting)
  const locked = !mayChange(setting, role)
  const needed = neededSwitch[setting]
  const switchText = useWatch({ control: form.control, name: fieldName(needed ?? setting) })
  const idle = needed !== undefined && switchText === 'false'
  const hint = t(`field.${setting}.hint`)
  return (
    <FormField<SettingTexts, string>
      form={form}
      name={name}
      label={t(`field.${setting}.label`)}
      hint={locked ? `${hint} ${t('readOnly')}` : hint}
      aside={<ChangeMark setting={setting} />}
    >
      {({ value, onChange, onBlur }) => (
        <BesideButton button={buttons[setting]}>
          <SettingControl
            setting={setting}
            value={value}
            disabled={locked || idle}
            onChange={onChange}
            onLeave={() => {
              onBlur()
              const saved = savedText(setting, value)
              if (saved !== value) onChange(saved)
              void form.trigger(name)
            }}
          />
        </BesideButton>
      )}
    </FormField>
  )
}

interface BesideButtonProps {
  readonly button: (() => ReactNode) | undefined
  readonly children: ReactNode
}

function BesideButton({ button, children }: BesideButtonProps) {
  if (!button) return children
  return (
    <div className="flex items-start gap-2 max-sm:flex-col">
      {children}
      {button()}
    </div>
  )
}
