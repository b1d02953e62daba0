import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../components/form/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { confirm } from '../../../lib/confirm.ts'
import { removeSecret, settingsQuery } from '../api.ts'
import type { ShownKey } from '../model/catalogue.ts'
import { fieldName, type SettingTexts } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'
import { ChangeMark } from './change-mark.tsx'

/** A secret: whether one is stored, a new one, and a way to remove it. It is never shown. */
export function SecretField({ setting }: { readonly setting: ShownKey }) {
  const { t } = useTranslation('settings')
  const { form, isSet, changed } = useSettings()
  const label = t(`field.${setting}.label`)
  return (
    <TextField<SettingTexts>
      form={form}
      name={fieldName(setting)}
      label={label}
      hint={t(`field.${setting}.hint`)}
      secret
      input={{
        mono: true,
        autoComplete: 'new-password',
        placeholder: t(isSet(setting) ? 'secret.set' : 'secret.unset'),
      }}
      aside={
        changed.has(setting) ? (
          <ChangeMark setting={setting} />
        ) : (
          isSet(setting) && <RemoveSecret setting={setting} name={label} />
        )
      }
    />
  )
}

function RemoveSecret({ setting, name }: { readonly setting: ShownKey; readonly name: string }) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => removeSecret(setting),
    onSuccess: () => client.invalidateQueries(settingsQuery),
    meta: { successMessage: t('secret.removed') },
  })

  async function ask(): Promise<void> {
    const sure = await confirm({
      title: t('secret.remove', { name }),
      description: t('secret.removeQuestion'),
      confirmLabel: t('secret.removeShort'),
      danger: true,
    })
    if (sure) remove.mutate()
  }

  return (
    <Button
      variant="ghost"
      size="sm"
      className="-my-1"
      icon={Trash2}
      loading={remove.isPending}
      aria-label={t('secret.remove', { name })}
      onClick={() => void ask()}
    >
      {t('secret.removeShort')}
    </Button>
  )
}
