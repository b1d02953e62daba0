import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type BindingProvider, calls, type User } from '@tollgate/api'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField, useSaveForm } from '../../components/form/index.ts'
import { TelegramButton, type TelegramIdentity } from '../../components/sign-in/telegram-button.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api-client.ts'
import { confirm } from '../../lib/confirm.ts'
import { useStatus } from '../../lib/status.ts'
import { accountQuery } from './api.ts'
import { type Binding, bindingAddress, bindingsOf, sendsBack } from './bindings.ts'
import { FormDialog } from './form-dialog.tsx'
import { SendCode } from './send-code.tsx'
import { SettingRow } from './setting-row.tsx'

/** The accounts outside that are one's own: to log in with, and to be written to. */
export function BindingsCard({ user }: { readonly user: User }) {
  const { t } = useTranslation('personal')
  const status = useStatus()
  const [asking, setAsking] = useState<BindingProvider>()
  const close = () => setAsking(undefined)
  const bindings = bindingsOf(user, status)
  const isHere = ({ offered, identity }: Binding) => offered || identity !== ''
  const missing = bindings.filter((binding) => !isHere(binding))
  return (
    <Card title={t('binding.title')} description={t('binding.description')}>
      {bindings.filter(isHere).map((binding) => (
        <BindingRow key={binding.provider} binding={binding} onAsk={() => setAsking(binding.provider)} />
      ))}
      {missing.length > 0 && (
        <p className="mt-2.5 border-t pt-2.5 text-muted text-xs">
          {t('binding.off', { names: missing.map(({ provider }) => t(`provider.${provider}`)).join(', ') })}
        </p>
      )}
      {asking === 'email' && <EmailDialog onClose={close} />}
      {asking === 'wechat' && <WechatDialog onClose={close} />}
      {asking === 'telegram' && (
        <Suspense>
          <TelegramDialog onClose={close} />
        </Suspense>
      )}
    </Card>
  )
}

interface BindingRowProps {
  readonly binding: Binding
  /** Opens the dialog of the providers that have one. */
  readonly onAsk: () => void
}

/** One outside account: whose it is, and binding it, changing it and taking it back. */
function BindingRow({ binding, onAsk }: BindingRowProps) {
  const { t } = useTranslation('personal')
  const { provider, identity, offered } = binding
  const name = t(`provider.${provider}`)
  const isBound = identity !== ''
  const { bind, isLeaving } = useBinding(binding, onAsk)
  const { unbind, isUnbinding } = useUnbinding(binding)
  const canChange = isBound && offered && !sendsBack(provider)
  return (
    <SettingRow
      title={name}
      description={isBound ? identity : t('binding.none')}
      actions={
        <>
          {canChange && (
            <Button size="sm" aria-label={t('binding.changeOf', { name })} onClick={bind}>
              {t('binding.change')}
            </Button>
          )}
          {isBound && (
            <Button
              size="sm"
              variant="ghost"
              loading={isUnbinding}
              aria-label={t('binding.unbindOf', { name })}
              onClick={unbind}
            >
              {t('binding.unbind')}
            </Button>
          )}
          {!isBound && (
            <Button size="sm" loading={isLeaving} aria-label={t('binding.bindOf', { name })} onClick={bind}>
              {t('binding.bind')}
            </Button>
          )}
        </>
      }
    />
  )
}

/** Leaves for the provider, or asks in a dialog. */
function useBinding({ provider }: Binding, onAsk: () => void) {
  const status = useStatus()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: async () => {
      if (status && sendsBack(provider)) window.location.assign(await bindingAddress(provider, status))
    },
  })
  return { bind: () => (sendsBack(provider) ? mutate() : onAsk()), isLeaving: isPending || isSuccess }
}

function useUnbinding({ provider }: Binding) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const name = t(`provider.${provider}`)
  const { mutate, isPending } = useMutation({
    mutationFn: () => request(calls.oauth.unbind, { params: { provider } }),
    meta: { successMessage: t('binding.unbound', { name }) },
    onSuccess: () => client.invalidateQueries({ queryKey: accountQuery.queryKey }),
  })
  async function unbind(): Promise<void> {
    const isSure = await confirm({
      title: t('unbind.title', { name }),
      description: provider === 'email' ? t('unbind.emailDescription') : t('unbind.description', { name }),
      confirmLabel: t('unbind.confirm', { name }),
      danger: true,
    })
    if (isSure) mutate()
  }
  return { unbind: () => void unbind(), isUnbinding: isPending }
}

interface EmailForm {
  readonly email: string
  readonly code: string
}

const blank: EmailForm = { email: '', code: '' }

/** An address, proven by the code that is mailed to it. */
function EmailDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const saveForm = useSaveForm<EmailForm, unknown>({
    start: blank,
    check: ({ email, code }) => ({
      email: email.trim() === '' ? t('email.missing') : undefined,
      code: code.trim() === '' ? t('email.codeMissing') : undefined,
    }),
    fieldOf: {
      email_taken: 'email',
      email_invalid: 'email',
      email_domain_not_allowed: 'email',
      email_alias_not_allowed: 'email',
      verification_code_wrong: 'code',
    },
    save: ({ email, code }) =>
      request(calls.oauth.emailBind, { query: { email: email.trim(), code: code.trim() } }),
    successMessage: t('email.done'),
    onSaved() {
      void client.invalidateQueries({ queryKey: accountQuery.queryKey })
      onClose()
    },
  })
  const { form } = saveForm
  return (
    <FormDialog
      saveForm={saveForm}
      size="sm"
      title={t('email.title')}
      submitLabel={t('email.submit')}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="email"
        label={t('email.address')}
        input={{ type: 'email', inputMode: 'email', autoComplete: 'email' }}
      />
      <SendCode
        email={() => form.getValues('email')}
        onProblem={(about, message) => {
          form.clearErrors()
          if (message !== '') form.setError(about, { message })
        }}
      />
      <TextField
        form={form}
        name="code"
        label={t('email.code')}
        input={{ autoComplete: 'one-time-code', mono: true }}
      />
    </FormDialog>
  )
}

/** Telegram says who one is, in a frame and a window of its own. */
function TelegramDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const { mutate, error } = useMutation({
    mutationFn: (body: TelegramIdentity) => request(calls.oauth.telegramBindPost, { body }),
    meta: { silent: true, successMessage: t('binding.bound', { name: t('provider.telegram') }) },
    onSuccess() {
      void client.invalidateQueries({ queryKey: accountQuery.queryKey })
      onClose()
    },
  })
  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={t('telegram.title')}
      description={t('telegram.description')}
    >
      <div className="flex flex-col gap-4">
        {error && <Notice tone="bad">{error.message}</Notice>}
        <TelegramButton onIdentity={mutate} />
      </div>
    </Dialog>
  )
}

interface WechatForm {
  readonly code: string
}

const blankCode: WechatForm = { code: '' }

/** The operator's account at WeChat answers those who follow it with a code. */
function WechatDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const picture = useStatus()?.wechat_qrcode
  const saveForm = useSaveForm<WechatForm, unknown>({
    start: blankCode,
    check: ({ code }) => ({ code: code.trim() === '' ? t('wechat.codeMissing') : undefined }),
    fieldOf: { wechat_code_invalid: 'code' },
    save: ({ code }) => request(calls.oauth.wechatBind, { query: { code: code.trim() } }),
    successMessage: t('binding.bound', { name: t('provider.wechat') }),
    onSaved() {
      void client.invalidateQueries({ queryKey: accountQuery.queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      saveForm={saveForm}
      size="sm"
      title={t('wechat.title')}
      description={t('wechat.description')}
      submitLabel={t('wechat.submit')}
      onClose={onClose}
    >
      {picture && (
        <img src={picture} alt={t('wechat.picture')} className="mx-auto max-h-56 rounded border bg-white" />
      )}
      <TextField
        form={saveForm.form}
        name="code"
        label={t('wechat.code')}
        input={{ autoComplete: 'one-time-code', mono: true }}
      />
    </FormDialog>
  )
}
