import { useQuery, useQueryClient } from '@tanstack/react-query'
import { calls, type Passkey } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Card } from '../../../components/ui/card.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { useConfirmedMutation } from '../../../lib/confirmed-mutation.ts'
import { createPasskeyCredential, supportsPasskeyCreation } from '../../../lib/session/passkey.ts'
import { passkeysQuery } from '../api.ts'
import { DialogButton } from '../dialog-button.tsx'
import { TextDialog } from '../form-dialog.tsx'
import { SettingRow } from '../setting-row.tsx'

/** Passkeys of the account: devices that log the person in without a password. */
export function PasskeysCard() {
  const { t } = useTranslation('personal')
  const isSupported = supportsPasskeyCreation()
  return (
    <Card
      title={t('passkey.title')}
      description={t('passkey.description')}
      action={
        isSupported && (
          <DialogButton dialog={(close) => <PasskeyDialog onClose={close} />}>
            {t('passkey.add')}
          </DialogButton>
        )
      }
    >
      <QueryBoundary query={useQuery(passkeysQuery)}>
        {(passkeys) =>
          passkeys.length === 0 ? (
            <p className="text-muted text-sm">{t('passkey.none')}</p>
          ) : (
            passkeys.map((passkey) => <PasskeyRow key={passkey.id} passkey={passkey} />)
          )
        }
      </QueryBoundary>
      {!isSupported && <p className="mt-2 text-muted text-xs">{t('passkey.impossible')}</p>}
    </Card>
  )
}

function PasskeyRow({ passkey }: { readonly passkey: Passkey }) {
  const { t } = useTranslation('personal')
  const { name, created_at: createdAt, last_used_at: lastUsedAt } = passkey
  const removal = useRemoval(passkey)
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
          <DialogButton
            aria-label={t('passkey.renameOf', { name })}
            dialog={(close) => <PasskeyDialog passkey={passkey} onClose={close} />}
          >
            {t('passkey.rename')}
          </DialogButton>
          <Button
            size="sm"
            variant="ghost"
            loading={removal.isPending}
            aria-label={t('passkey.deleteOf', { name })}
            onClick={removal.run}
          >
            {t('passkey.delete')}
          </Button>
        </>
      }
    />
  )
}

function useRemoval({ id, name }: Passkey) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  return useConfirmedMutation(
    {
      title: t('passkey.deleteTitle', { name }),
      description: t('passkey.deleteDescription'),
      confirmLabel: t('passkey.deleteConfirm'),
      danger: true,
    },
    {
      mutationFn: () => request(calls.passkeys.delete, { params: { id } }),
      meta: { successMessage: t('passkey.deleted', { name }) },
      onSuccess: () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
    },
  )
}

interface PasskeyDialogProps {
  /** The one to rename; absent for a new one. */
  readonly passkey?: Passkey
  readonly onClose: () => void
}

/** Names a passkey. For a new one the browser then asks the person to confirm on the device. */
function PasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const { t } = useTranslation('personal')
  const isNew = passkey === undefined
  return (
    <TextDialog
      size="sm"
      title={t(isNew ? 'passkey.addTitle' : 'passkey.renameTitle')}
      submitLabel={t(isNew ? 'passkey.create' : 'passkey.rename')}
      onClose={onClose}
      fields={{
        name: {
          label: t('passkey.name'),
          hint: isNew && t('passkey.addHint'),
          start: passkey?.name ?? '',
          missing: t('passkey.nameMissing'),
          input: { placeholder: t('passkey.nameExample') },
        },
      }}
      fieldOf={{ passkey_name_invalid: 'name' }}
      save={async ({ name }) => {
        if (!isNew) return request(calls.passkeys.rename, { params: { id: passkey.id }, body: { name } })
        const credential = await createPasskeyCredential(await request(calls.passkeys.registerOptions))
        if (!credential) throw new Error(t('passkey.notMade'))
        return request(calls.passkeys.register, { body: { name, credential } })
      }}
      successMessage={t(isNew ? 'passkey.added' : 'passkey.renamed')}
      changes={passkeysQuery}
    />
  )
}
