import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type BindingProvider, calls, type User } from '@tollgate/api'
import { accountRefusedFields, mailRefusedFields } from '@tollgate/api/refused-fields'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldsByCode } from '../../components/form/index.ts'
import type { TelegramIdentity } from '../../components/sign-in/telegram-message.ts'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Dialog } from '../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { localList } from '../../i18n/local-list.ts'
import { accountQuery } from '../../lib/api/account.ts'
import { request } from '../../lib/api/api-client.ts'
import { useStatus } from '../../lib/api/status.ts'
import { useConfirmedMutation } from '../../lib/confirmed-mutation.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { type Binding, bindingAddress, bindingsOf, sendsBack } from './bindings.ts'
import { oneTimeCode, TextDialog } from './form-dialog.tsx'
import { SendCode } from './send-code.tsx'
import { SettingRow } from './setting-row.tsx'

const TelegramButton = lazyComponent(
  () => import('../../components/sign-in/telegram-button.tsx'),
  'TelegramButton',
)

interface DialogProps {
  readonly onClose: () => void
}

/** Accounts elsewhere that log the person in, and the email address. */
export function BindingsCard({ user }: { readonly user: User }) {
  const { t } = useTranslation('personal')
  const status = useStatus()
  const [open, setOpen] = useState<BindingProvider>()
  const close = () => setOpen(undefined)
  const bindings = bindingsOf(user, status)
  const isListed = ({ offered, identity }: Binding) => offered || identity !== ''
  const missing = bindings.filter((binding) => !isListed(binding))
  return (
    <Card title={t('binding.title')} description={t('binding.description')}>
      {bindings.filter(isListed).map((binding) => (
        <BindingRow key={binding.provider} binding={binding} onOpen={() => setOpen(binding.provider)} />
      ))}
      {missing.length > 0 && (
        <p className="mt-2.5 border-t pt-2.5 text-muted text-xs">
          {t('binding.off', { names: localList(missing.map(({ provider }) => t(`provider.${provider}`))) })}
        </p>
      )}
      {open === 'email' && <EmailDialog onClose={close} />}
      {open === 'wechat' && <WechatDialog onClose={close} />}
      {open === 'telegram' && <TelegramDialog onClose={close} />}
    </Card>
  )
}

interface BindingRowProps {
  readonly binding: Binding
  /** Opens the dialog of a provider that has one. */
  readonly onOpen: () => void
}

/** One account elsewhere, with buttons that bind, change and unbind it. */
function BindingRow({ binding, onOpen }: BindingRowProps) {
  const { t } = useTranslation('personal')
  const { provider, identity, offered } = binding
  const name = t(`provider.${provider}`)
  const isBound = identity !== ''
  const { bind, isLeaving } = useBinding(binding, onOpen)
  const unbind = useUnbinding(binding)
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
              loading={unbind.isPending}
              aria-label={t('binding.unbindOf', { name })}
              onClick={unbind.run}
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

/** Leaves for the provider, or opens its dialog. */
function useBinding({ provider }: Binding, onOpen: () => void) {
  const status = useStatus()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: async () => {
      if (status && sendsBack(provider)) window.location.assign(await bindingAddress(provider, status))
    },
  })
  return { bind: () => (sendsBack(provider) ? mutate() : onOpen()), isLeaving: isPending || isSuccess }
}

function useUnbinding({ provider }: Binding) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const name = t(`provider.${provider}`)
  return useConfirmedMutation(
    {
      title: t('unbind.title', { name }),
      description: provider === 'email' ? t('unbind.emailDescription') : t('unbind.description', { name }),
      confirmLabel: t('unbind.confirm', { name }),
      danger: true,
    },
    {
      mutationFn: () => request(calls.oauth.unbind, { params: { provider } }),
      meta: { successMessage: t('binding.unbound', { name }) },
      onSuccess: () => client.invalidateQueries({ queryKey: accountQuery.queryKey }),
    },
  )
}

/** Binds an address by a code that is mailed to it. */
function EmailDialog({ onClose }: DialogProps) {
  const { t } = useTranslation('personal')
  return (
    <TextDialog
      size="sm"
      title={t('email.title')}
      submitLabel={t('email.submit')}
      onClose={onClose}
      fields={{
        email: {
          label: t('email.address'),
          missing: t('email.missing'),
          input: { type: 'email', inputMode: 'email', autoComplete: 'email' },
          after: (form) => (
            <SendCode
              email={() => form.getValues('email') ?? ''}
              onProblem={(field, message) => {
                form.clearErrors()
                if (message !== '') form.setError(field, { message })
              }}
            />
          ),
        },
        code: { label: t('email.code'), missing: t('email.codeMissing'), input: oneTimeCode },
      }}
      fieldOf={fieldsByCode(
        { ...accountRefusedFields, ...mailRefusedFields },
        { email: 'email', verification_code: 'code' },
      )}
      save={(query) => request(calls.oauth.emailBind, { query })}
      successMessage={t('email.done')}
      changes={accountQuery}
    />
  )
}

/** Binds WeChat by the code that the operator's WeChat account sends to its followers. */
function WechatDialog({ onClose }: DialogProps) {
  const { t } = useTranslation('personal')
  const picture = useStatus()?.wechat_qrcode
  return (
    <TextDialog
      size="sm"
      title={t('wechat.title')}
      description={t('wechat.description')}
      submitLabel={t('wechat.submit')}
      onClose={onClose}
      fields={{ code: { label: t('wechat.code'), missing: t('wechat.codeMissing'), input: oneTimeCode } }}
      fieldOf={{ wechat_code_invalid: 'code' }}
      save={(query) => request(calls.oauth.wechatBind, { query })}
      successMessage={t('binding.bound', { name: t('provider.wechat') })}
      changes={accountQuery}
    >
      {picture && (
        <img src={picture} alt={t('wechat.picture')} className="mx-auto max-h-56 rounded border bg-white" />
      )}
    </TextDialog>
  )
}

/** Binds Telegram, whose own button identifies the person in a frame. */
function TelegramDialog({ onClose }: DialogProps) {
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
        <Suspense>
          <TelegramButton onIdentity={mutate} />
        </Suspense>
      </div>
    </Dialog>
  )
}
