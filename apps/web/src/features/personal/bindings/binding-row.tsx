import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { request } from '../../../lib/api-client.ts'
import { confirm } from '../../../lib/confirm.ts'
import { useStatus } from '../../../lib/status.ts'
import { accountQuery } from '../api.ts'
import { SettingRow } from '../setting-row.tsx'
import { bindingAddress } from './authorization.ts'
import { type Binding, sendsBack } from './bindings.ts'

interface BindingRowProps {
  readonly binding: Binding
  /** Opens the dialog of the providers that have one. */
  readonly onAsk: () => void
}

/** One outside account: whose it is, and binding it, changing it and taking it back. */
export function BindingRow({ binding, onAsk }: BindingRowProps) {
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
