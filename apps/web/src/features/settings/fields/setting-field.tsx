import { settingCatalogue } from '@tollgate/api/settings'
import { useTranslation } from 'react-i18next'
import { FormField } from '../../../components/form/index.ts'
import { mayChange, type ShownKey } from '../model/catalogue.ts'
import { fieldName, type SettingTexts } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'
import { ChangeMark } from './change-mark.tsx'
import { FlagField } from './flag-field.tsx'
import { SecretField } from './secret-field.tsx'
import { SettingControl } from './setting-control.tsx'

/** One setting: its name, the control its kind asks for, what it does, and whether it was changed. */
export function SettingField({ setting }: { readonly setting: ShownKey }) {
  const { t } = useTranslation('settings')
  const { form, role } = useSettings()
  const { kind } = settingCatalogue[setting].control
  if (kind === 'flag') return <FlagField setting={setting} />
  if (kind === 'secret') return <SecretField setting={setting} />
  const name = fieldName(setting)
  const locked = !mayChange(setting, role)
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
        <SettingControl
          setting={setting}
          value={value}
          disabled={locked}
          onChange={onChange}
          onLeave={() => {
            onBlur()
            void form.trigger(name)
          }}
        />
      )}
    </FormField>
  )
}
