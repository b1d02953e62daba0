import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type CallData, calls } from '@tollgate/api'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField, useSaveForm } from '../../components/form/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { CopyButton } from '../../components/ui/copy.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { Notice, Tag } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api-client.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { secondFactorQuery } from './api.ts'
import { FormDialog } from './form-dialog.tsx'
import { SettingRow } from './setting-row.tsx'

const SetUpDialog = lazyComponent(() => import('./set-up-dialog.tsx'), 'SetUpDialog')

type Status = CallData<typeof calls.secondFactor.status>

/** Codes of an authenticator app, asked for after the password: switching them on and off, and codes for emergencies. */
export function SecondFactorRow() {
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  const client = useQueryClient()
  const refresh = () => void client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
  function show(codes: readonly string[]): void {
    setRecoveryCodes(codes)
    refresh()
  }
  return (
    <>
      <QueryBoundary query={useQuery(secondFactorQuery)}>
        {(status) =>
          status.enabled ? (
            <EnabledRow status={status} onCodes={show} onDisabled={refresh} />
          ) : (
            <DisabledRow onCodes={show} />
          )
        }
      </QueryBoundary>
      {recoveryCodes && <RecoveryDialog codes={recoveryCodes} onClose={() => setRecoveryCodes(undefined)} />}
    </>
  )
}

interface RowProps {
  readonly onCodes: (codes: readonly string[]) => void
}

function DisabledRow({ onCodes }: RowProps) {
  const { t } = useTranslation('personal')
  const begin = useMutation({ mutationFn: () => request(calls.secondFactor.begin), gcTime: 0 })
  return (
    <>
      <SettingRow
        title={t('secondFactor.title')}
        description={t('secondFactor.description')}
        actions={
          <Button size="sm" loading={begin.isPending} onClick={() => begin.mutate()}>
            {t('secondFactor.setUp')}
          </Button>
        }
      />
      {begin.data && (
        <Suspense>
          <SetUpDialog {...begin.data} onClose={begin.reset} onCodes={onCodes} />
        </Suspense>
      )}
    </>
  )
}

interface EnabledRowProps extends RowProps {
  readonly status: Status
  readonly onDisabled: () => void
}

function EnabledRow({ status, onCodes, onDisabled }: EnabledRowProps) {
  const { t } = useTranslation('personal')
  const [asking, setAsking] = useState<'renew' | 'disable'>()
  const close = () => setAsking(undefined)
  return (
    <>
      <SettingRow
        title={
          <>
            {t('secondFactor.title')}
            <Tag tone="good">{t('secondFactor.on')}</Tag>
          </>
        }
        description={
          <>
            {status.enabled_at !== undefined && (
              <>
                {t('secondFactor.since')} <RelativeTime at={status.enabled_at} day />
                {' · '}
              </>
            )}
            {t('secondFactor.codesLeft', { count: status.recovery_codes_left })}
          </>
        }
        actions={
          <>
            <Button size="sm" onClick={() => setAsking('renew')}>
              {t('secondFactor.renew')}
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setAsking('disable')}>
              {t('secondFactor.disable')}
            </Button>
          </>
        }
      />
      {asking === 'renew' && (
        <CodeDialog
          title={t('secondFactor.renew')}
          description={t('secondFactor.renewDescription')}
          submitLabel={t('secondFactor.renewSubmit')}
          send={(code) => request(calls.secondFactor.renewRecoveryCodes, { body: { code } })}
          onDone={(response) => onCodes(response.recovery_codes)}
          onClose={close}
        />
      )}
      {asking === 'disable' && (
        <CodeDialog
          title={t('secondFactor.disableTitle')}
          description={t('secondFactor.disableDescription')}
          submitLabel={t('secondFactor.disable')}
          danger
          send={(code) => request(calls.secondFactor.disable, { body: { code } })}
          onDone={onDisabled}
          onClose={close}
        />
      )}
    </>
  )
}

interface CodeForm {
  readonly code: string
}

const blank: CodeForm = { code: '' }

interface CodeDialogProps<Result> {
  readonly title: string
  readonly description: string
  readonly submitLabel: string
  readonly danger?: boolean
  readonly send: (code: string) => Promise<Result>
  readonly onDone: (response: Result) => void
  readonly onClose: () => void
}

/** Asks for a code of the second factor before it is changed. */
function CodeDialog<Result>(props: CodeDialogProps<Result>) {
  const { send, onDone, onClose, ...dialog } = props
  const { t } = useTranslation('personal')
  const saveForm = useSaveForm<CodeForm, Result>({
    start: blank,
    check: ({ code }) => ({ code: code.trim() === '' ? t('secondFactor.codeMissing') : undefined }),
    fieldOf: { second_factor_wrong: 'code' },
    save: ({ code }) => send(code.trim()),
    onSaved(response) {
      onClose()
      onDone(response)
    },
  })
  return (
    <FormDialog saveForm={saveForm} size="sm" onClose={onClose} {...dialog}>
      <TextField
        form={saveForm.form}
        name="code"
        label={t('secondFactor.code')}
        hint={t('secondFactor.codeOrRecoveryHint')}
        input={{ autoComplete: 'one-time-code', mono: true }}
      />
    </FormDialog>
  )
}

interface RecoveryDialogProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Codes for the day the authenticator is lost. Seen once: the server keeps their hashes. */
function RecoveryDialog({ codes, onClose }: RecoveryDialogProps) {
  const { t } = useTranslation('personal')
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('recovery.title')}
      footer={
        <>
          <CopyButton value={codes.join('\n')} label={t('recovery.copy')} withText size="md" />
          <Button variant="primary" onClick={onClose}>
            {t('recovery.stored')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn">{t('recovery.once')}</Notice>
        <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded border bg-sunken p-3 font-mono text-sm">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
