import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls, type Passkey } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { request } from '../../../lib/api-client.ts'
import { confirm } from '../../../lib/confirm.ts'
import { passkeysQuery } from '../api.ts'
import { SettingRow } from '../setting-row.tsx'
import { PasskeyDialog } from './passkey-dialog.tsx'

interface PasskeyRowProps {
  readonly passkey: Passkey
}

export function PasskeyRow({ passkey }: PasskeyRowProps) {
  const { t } = useTranslation('personal')
  const [renaming, setRenaming] = useState(false)
  const { name, created_at: createdAt, last_used_at: lastUsedAt } = passkey
  const { remove, isRemoving } = useRemoval(passkey)
  return (
    <SettingRow
      title={<span className="truncate">{name}</span>}
      description={
        <>
          {t('passkey.created')} <RelativeTime at={createdAt} day />
          {' · '}
          {lastUsedAt === 0 ? (
            t('passkey.neverUsed')
          ) : (
            <>
              {t('passkey.lastUsed')} <RelativeTime at={lastUsedAt} />
            </>
          )}
        </>
      }
      actions={
        <>
          <Button size="sm" aria-label={t('passkey.renameOf', { name })} onClick={() => setRenaming(true)}>
            {t('passkey.rename')}
          </Button>
          <Button
            size="sm"
            variant="ghost"
            loading={isRemoving}
            aria-label={t('passkey.deleteOf', { name })}
            onClick={remove}
          >
            {t('passkey.delete')}
          </Button>
          {renaming && <PasskeyDialog passkey={passkey} onClose={() => setRenaming(false)} />}
        </>
      }
    />
  )
}

function useRemoval({ id, name }: Passkey) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => request(calls.passkeys.delete, { params: { id } }),
    meta: { successMessage: t('passkey.deleted', { name }) },
    onSuccess: () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  })
  async function remove(): Promise<void> {
    const isSure = await confirm({
      title: t('passkey.deleteTitle', { name }),
      description: t('passkey.deleteDescription'),
      confirmLabel: t('passkey.deleteConfirm'),
      danger: true,
    })
    if (isSure) mutate()
  }
  return { remove: () => void remove(), isRemoving: isPending }
}
