import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type CallData, calls } from '@tollgate/api'
import { type ComponentProps, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { CopyButton } from '../../../components/ui/copy.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { Notice, Tag } from '../../../components/ui/tag.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { lazyComponent } from '../../../lib/lazy-component.ts'
import { secondFactorQuery } from '../api.ts'
import { oneTimeCode, TextDialog } from '../form-dialog.tsx'
import { SettingRow } from '../setting-row.tsx'

const SetUpDialog = lazyComponent(() => import('./set-up-dialog.tsx'), 'SetUpDialog')

type Status = CallData<typeof calls.secondFactor.status>

/** Two-factor authentication: turns it on and off, and generates recovery codes. */
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
  const setUp = useMutation({ mutationFn: () => request(calls.secondFactor.begin), gcTime: 0 })
  return (
    <>
      <SettingRow
        title={t('secondFactor.title')}
        description={t('secondFactor.description')}
        actions={
          <Button size="sm" loading={setUp.isPending} onClick={() => setUp.mutate()}>
            {t('secondFactor.setUp')}
          </Button>
        }
      />
      {setUp.data && (
        <Suspense>
          <SetUpDialog {...setUp.data} onClose={setUp.reset} onCodes={onCodes} />
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
  const [open, setOpen] = useState<'renew' | 'disable'>()
  const close = () => setOpen(undefined)
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
            <Button size="sm" onClick={() => setOpen('renew')}>
              {t('secondFactor.renew')}
            </Button>
            <Button size="sm" variant="ghost" onClick={() => setOpen('disable')}>
              {t('secondFactor.disable')}
            </Button>
          </>
        }
      />
      {open === 'renew' && (
        <CodeDialog
          title={t('secondFactor.renew')}
          description={t('secondFactor.renewDescription')}
          submitLabel={t('secondFactor.renewSubmit')}
          save={(body) => request(calls.secondFactor.renewRecoveryCodes, { body })}
          onSaved={(response) => onCodes(response.recovery_codes)}
          onClose={close}
        />
      )}
      {open === 'disable' && (
        <CodeDialog
          title={t('secondFactor.disableTitle')}
          description={t('secondFactor.disableDescription')}
          submitLabel={t('secondFactor.disable')}
          danger
          save={(body) => request(calls.secondFactor.disable, { body })}
          onSaved={onDisabled}
          onClose={close}
        />
      )}
    </>
  )
}

type CodeDialogProps<Result> = Pick<
  ComponentProps<typeof TextDialog<'code', Result>>,
  'title' | 'description' | 'submitLabel' | 'danger' | 'save' | 'onSaved' | 'onClose'
>

/** Asks for a code of the second factor before it changes. */
function CodeDialog<Result>(props: CodeDialogProps<Result>) {
  const { t } = useTranslation('personal')
  return (
    <TextDialog
      size="sm"
      fields={{
        code: {
          label: t('secondFactor.code'),
          hint: t('secondFactor.codeOrRecoveryHint'),
          missing: t('secondFactor.codeMissing'),
          input: oneTimeCode,
        },
      }}
      fieldOf={{ second_factor_wrong: 'code' }}
      {...props}
    />
  )
}

interface RecoveryDialogProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Recovery codes, for a lost authenticator. They are shown once, because the server keeps only their hashes. */
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
