import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Switch } from '../../../components/ui/choice.tsx'
import { confirm } from '../../../lib/confirm.ts'
import { mayChange, type ShownKey } from '../model/catalogue.ts'
import { fieldName } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'
import { ChangeMark } from './change-mark.tsx'

/** A switch with its sentence; one that may lock people out asks first. */
export function FlagField({ setting }: { readonly setting: ShownKey }) {
  const { t } = useTranslation('settings')
  const { form, role } = useSettings()
  const { field, fieldState } = useController({ control: form.control, name: fieldName(setting) })

  async function change(on: boolean): Promise<void> {
    const asks = setting === 'PasswordLoginEnabled' && !on
    const sure =
      !asks ||
      (await confirm({
        title: t('passwordLogin.title'),
        description: t('passwordLogin.description'),
        confirmLabel: t('passwordLogin.confirm'),
        danger: true,
      }))
    if (sure) field.onChange(String(on))
  }

  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 flex-1">
          <Switch
            label={<span className="font-medium">{t(`field.${setting}.label`)}</span>}
            hint={t(`field.${setting}.hint`)}
            checked={field.value === 'true'}
            disabled={!mayChange(setting, role)}
            onCheckedChange={(on) => void change(on)}
          />
        </div>
        <ChangeMark setting={setting} />
      </div>
      {fieldState.error?.message && (
        <p role="alert" className="text-bad text-xs">
          {fieldState.error.message}
        </p>
      )}
    </div>
  )
}
