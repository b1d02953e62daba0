import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { calls, type Passkey } from '@tollgate/api'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField, useSaveForm } from '../../components/form/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { request } from '../../lib/api-client.ts'
import { confirm } from '../../lib/confirm.ts'
import { passkeysQuery } from './api.ts'
import { FormDialog } from './form-dialog.tsx'
import { SettingRow } from './setting-row.tsx'

/** Devices that log one in by themselves. */
export function PasskeysCard() {
  const { t } = useTranslation('personal')
  const [adding, setAdding] = useState(false)
  const isPossible = canMakePasskeys()
  return (
    <Card
      title={t('passkey.title')}
      description={t('passkey.description')}
      action={
        isPossible && (
          <Button size="sm" onClick={() => setAdding(true)}>
            {t('passkey.add')}
          </Button>
        )
      }
    >
      <QueryBoundary query={useQuery(passkeysQuery)}>
        {(passkeys) => <PasskeyList passkeys={passkeys} />}
      </QueryBoundary>
      {!isPossible && <p className="mt-2 text-muted text-xs">{t('passkey.impossible')}</p>}
      {adding && <PasskeyDialog onClose={() => setAdding(false)} />}
    </Card>
  )
}

function PasskeyList({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const { t } = useTranslation('personal')
  if (passkeys.length === 0) return <p className="text-muted text-sm">{t('passkey.none')}</p>
  return passkeys.map((passkey) => <PasskeyRow key={passkey.id} passkey={passkey} />)
}

interface PasskeyRowProps {
  readonly passkey: Passkey
}

function PasskeyRow({ passkey }: PasskeyRowProps) {
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

interface PasskeyForm {
  readonly name: string
}

interface PasskeyDialogProps {
  /** The one to rename; a new one when there is none. */
  readonly passkey?: Passkey
  readonly onClose: () => void
}

/** The name of a passkey; for a new one the device asks the person next. */
function PasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const isNew = passkey === undefined
  const known = passkey?.name ?? ''

  async function save({ name }: PasskeyForm): Promise<void> {
    if (isNew) {
      if (!(await makePasskey(name.trim()))) throw new Error(t('passkey.notMade'))
    } else {
      await request(calls.passkeys.rename, { params: { id: passkey.id }, body: { name: name.trim() } })
    }
  }

  const saveForm = useSaveForm<PasskeyForm, void>({
    start: useMemo(() => ({ name: known }), [known]),
    check: ({ name }) => ({ name: name.trim() === '' ? t('passkey.nameMissing') : undefined }),
    fieldOf: { passkey_name_invalid: 'name' },
    save,
    successMessage: t(isNew ? 'passkey.added' : 'passkey.renamed'),
    onSaved() {
      void client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      saveForm={saveForm}
      size="sm"
      title={t(isNew ? 'passkey.addTitle' : 'passkey.renameTitle')}
      submitLabel={t(isNew ? 'passkey.create' : 'passkey.rename')}
      onClose={onClose}
    >
      <TextField
        form={saveForm.form}
        name="name"
        label={t('passkey.name')}
        hint={isNew && t('passkey.addHint')}
        input={{ placeholder: t('passkey.nameExample') }}
      />
    </FormDialog>
  )
}

/** Whether this browser can take the options as the server sends them; only over HTTPS, or on the machine itself. */
function canMakePasskeys(): boolean {
  return 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

/** Has the device make a passkey; `undefined` when the person would rather not, or it has one already. */
async function makePasskey(name: string): Promise<Passkey | undefined> {
  const options = await request(calls.passkeys.registerOptions)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const made = await navigator.credentials.create({ publicKey }).catch(nothingWhenDeclined)
  if (!(made instanceof PublicKeyCredential)) return undefined
  const { id, rawId, response, clientExtensionResults } = made.toJSON()
  const credential = {
    id,
    rawId,
    type: 'public-key' as const,
    response: { ...response },
    clientExtensionResults: { ...clientExtensionResults },
  }
  return request(calls.passkeys.register, { body: { name, credential } })
}

function nothingWhenDeclined(cause: unknown): null {
  const declined = ['NotAllowedError', 'AbortError', 'InvalidStateError']
  if (cause instanceof DOMException && declined.includes(cause.name)) return null
  throw cause
}
