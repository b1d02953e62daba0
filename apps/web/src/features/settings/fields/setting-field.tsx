import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { settingCatalogue } from '@tollgate/api/settings'
import { Download, Trash2 } from 'lucide-react'
import { useController, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FormField, TextField } from '../../../components/form/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Switch } from '../../../components/ui/field/choice.tsx'
import { ErrorText } from '../../../components/ui/field/field.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { confirm } from '../../../lib/confirm.ts'
import { useConfirmedMutation } from '../../../lib/confirmed-mutation.ts'
import { toast } from '../../../lib/toast.ts'
import { settingsQuery } from '../api.ts'
import type { VisibleKey } from '../model/catalogue.ts'
import { fieldName, type SettingTexts, savedText } from '../model/texts.ts'
import { useSettings } from '../settings-context.ts'
import { ChangeMark } from './change-mark.tsx'
import { SettingControl } from './setting-control.tsx'

/** Settings without effect while a switch is off. */
const neededSwitch: Partial<Record<VisibleKey, VisibleKey>> = {
  'general_setting.ping_interval_seconds': 'general_setting.ping_interval_enabled',
}

/** One setting: its label, the control of its kind, its hint, and whether it has an unsaved change. */
export function SettingField({ setting }: { readonly setting: VisibleKey }) {
  const { kind } = settingCatalogue[setting].control
  if (kind === 'flag') return <FlagField setting={setting} />
  if (kind === 'secret') return <SecretField setting={setting} />
  return <TypedField setting={setting} />
}

function TypedField({ setting }: { readonly setting: VisibleKey }) {
  const { t } = useTranslation('settings')
  const { form, lockOf } = useSettings()
  const name = fieldName(setting)
  const lock = lockOf(setting)
  const needed = neededSwitch[setting]
  const switchText = useWatch({ control: form.control, name: fieldName(needed ?? setting) })
  const idle = needed !== undefined && switchText === 'false'
  const hint = t(`field.${setting}.hint`)
  return (
    <FormField<SettingTexts, string>
      form={form}
      name={name}
      label={t(`field.${setting}.label`)}
      hint={lock ? `${hint} ${t(lock)}` : hint}
      aside={<ChangeMark setting={setting} />}
    >
      {({ value, onChange, onBlur }) => {
        const control = (
          <SettingControl
            setting={setting}
            value={value}
            disabled={lock !== undefined || idle}
            onChange={onChange}
            onLeave={() => {
              onBlur()
              const saved = savedText(setting, value)
              if (saved !== value) onChange(saved)
              void form.trigger(name)
            }}
          />
        )
        if (setting !== 'oidc.well_known') return control
        // A button below the control would move when a problem appears there.
        return (
          <div className="flex items-start gap-2 max-sm:flex-col">
            {control}
            <OidcEndpoints />
          </div>
        )
      }}
    </FormField>
  )
}

/** A switch with its hint. */
function FlagField({ setting }: { readonly setting: VisibleKey }) {
  const { t } = useTranslation('settings')
  const { form, lockOf } = useSettings()
  const lock = lockOf(setting)
  const hint = t(`field.${setting}.hint`)
  const { field, fieldState } = useController({ control: form.control, name: fieldName(setting) })

  async function change(on: boolean): Promise<void> {
    // Without a password the person may have no way to log in.
    const isRisky = setting === 'PasswordLoginEnabled' && !on
    const isConfirmed =
      !isRisky ||
      (await confirm({
        title: t('passwordLogin.title'),
        description: t('passwordLogin.description'),
        confirmLabel: t('passwordLogin.confirm'),
        danger: true,
      }))
    if (isConfirmed) field.onChange(String(on))
  }

  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 flex-1">
          <Switch
            label={<span className="font-medium">{t(`field.${setting}.label`)}</span>}
            hint={lock ? `${hint} ${t(lock)}` : hint}
            checked={field.value === 'true'}
            disabled={lock !== undefined}
            onCheckedChange={(on) => void change(on)}
          />
        </div>
        <ChangeMark setting={setting} />
      </div>
      <ErrorText>{fieldState.error?.message}</ErrorText>
    </div>
  )
}

/** A secret, which is never shown: says whether one is stored, replaces it, and removes it. */
function SecretField({ setting }: { readonly setting: VisibleKey }) {
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

function RemoveSecret({ setting, name }: { readonly setting: VisibleKey; readonly name: string }) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const remove = useConfirmedMutation(
    {
      title: t('secret.remove', { name }),
      description: t('secret.removeQuestion'),
      confirmLabel: t('secret.removeShort'),
      danger: true,
    },
    {
      mutationFn: () => request(calls.options.set, { body: { key: setting, clear: true } }),
      onSuccess: () => client.invalidateQueries(settingsQuery),
      meta: { successMessage: t('secret.removed') },
    },
  )

  return (
    <Button
      variant="ghost"
      size="sm"
      className="-my-1"
      icon={Trash2}
      loading={remove.isPending}
      aria-label={t('secret.remove', { name })}
      onClick={remove.run}
    >
      {t('secret.removeShort')}
    </Button>
  )
}

const wellKnown = fieldName('oidc.well_known')

/** Reads the provider's discovery document and fills in its endpoints, which the person then saves. */
function OidcEndpoints() {
  const { t } = useTranslation('settings')
  const { form } = useSettings()
  const fetching = useMutation({
    mutationFn: (url: string) => request(calls.options.readOidcDocument, { body: { url } }),
    onSuccess(found) {
      const fields = {
        'oidc.authorization_endpoint': found.authorization_endpoint,
        'oidc.token_endpoint': found.token_endpoint,
        'oidc.user_info_endpoint': found.userinfo_endpoint,
      } as const
      for (const [key, address] of Object.entries(fields))
        form.setValue(fieldName(key as keyof typeof fields), address, {
          shouldDirty: true,
          shouldTouch: true,
        })
      toast.success(t('oidc.fetched'))
    },
    onError: (error) => form.setError(wellKnown, { type: 'server', message: error.message }),
    meta: { silent: true },
  })

  function start(): void {
    const url = (form.getValues(wellKnown) ?? '').trim()
    form.clearErrors(wellKnown)
    if (/^https?:\/\//i.test(url)) fetching.mutate(url)
    else form.setError(wellKnown, { type: 'rule', message: t('oidc.address') })
  }

  return (
    <Button icon={Download} loading={fetching.isPending} onClick={start}>
      {t('oidc.fetch')}
    </Button>
  )
}
