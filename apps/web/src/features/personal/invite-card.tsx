import { useQuery, useQueryClient } from '@tanstack/react-query'
import { calls, type User } from '@tollgate/api'
import { accountRefusedFields } from '@tollgate/api/refused-fields'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { FormField, fieldsByCode, useSaveForm } from '../../components/form/index.ts'
import { Card, Stat } from '../../components/ui/card.tsx'
import { CodeBlock } from '../../components/ui/copy.tsx'
import { QuotaInput } from '../../components/ui/field/quota-input.tsx'
import { Money } from '../../components/ui/money.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { accountQuery } from '../../lib/api/account.ts'
import { requestWithMessage } from '../../lib/api/api-client.ts'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { formatInteger, formatQuota } from '../../lib/format/format.ts'
import { toast } from '../../lib/toast.ts'
import { inviteCodeQuery } from './api.ts'
import { DialogButton } from './dialog-button.tsx'
import { FormDialog } from './form-dialog.tsx'
import { minTransfer, transferProblem } from './transfer.ts'

/** The invite link, and what it has earned. */
export function InviteCard({ user }: { readonly user: User }) {
  const { t } = useTranslation('personal')
  const code = useQuery({ ...inviteCodeQuery, initialData: () => user.aff_code || undefined })
  return (
    <Card
      title={t('invite.title')}
      description={t('invite.description')}
      action={
        <DialogButton dialog={(close) => <TransferDialog earned={user.aff_quota} onClose={close} />}>
          {t('invite.transfer')}
        </DialogButton>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-2">
          <Stat label={t('invite.pending')}>
            <Money quota={user.aff_quota} />
          </Stat>
          <Stat label={t('invite.total')}>
            <Money quota={user.aff_history_quota} />
          </Stat>
          <Stat label={t('invite.count')}>{formatInteger(user.aff_count)}</Stat>
        </div>
        <QueryBoundary query={code}>
          {(invitation) => (
            <CodeBlock
              code={`${window.location.origin}/register?aff=${encodeURIComponent(invitation)}`}
              label={t('invite.copy')}
            />
          )}
        </QueryBoundary>
      </div>
    </Card>
  )
}

interface TransferForm {
  /** Amount in quota. */
  readonly amount: number | undefined
}

interface TransferDialogProps {
  /** Earnings in quota. */
  readonly earned: number
  readonly onClose: () => void
}

/** Moves earnings from invitations to the balance. */
function TransferDialog({ earned, onClose }: TransferDialogProps) {
  const { t } = useTranslation('personal')
  const client = useQueryClient()
  const display = useMoneyDisplay()
  const min = minTransfer(display)
  const amounts = {
    tooLittle: formatQuota(min, display),
    tooMuch: formatQuota(earned, display),
  }
  const saveForm = useSaveForm<TransferForm, string>({
    start: useMemo(() => ({ amount: min }), [min]),
    check: ({ amount }) => {
      const problem = transferProblem(amount, earned, display)
      return { amount: problem && t(`transfer.${problem}`, { amount: amounts[problem] }) }
    },
    fieldOf: fieldsByCode(accountRefusedFields, { quota: 'amount' }),
    save: async ({ amount: quota = 0 }) =>
      (await requestWithMessage(calls.accounts.transferInvitationQuota, { body: { quota } })).message,
    onSaved(message) {
      toast.success(message || t('transfer.done'))
      void client.invalidateQueries({ queryKey: accountQuery.queryKey })
      onClose()
    },
  })
  return (
    <FormDialog
      saveForm={saveForm}
      size="sm"
      title={t('transfer.title')}
      submitLabel={t('transfer.submit')}
      onClose={onClose}
    >
      <p className="flex justify-between gap-3 rounded border bg-sunken px-3 py-2">
        <span className="text-muted">{t('transfer.available')}</span>
        <Money quota={earned} />
      </p>
      <FormField<TransferForm, number | undefined>
        form={saveForm.form}
        name="amount"
        label={t(display.inCurrency ? 'transfer.amount' : 'transfer.quota')}
        hint={t('transfer.hint', { amount: amounts.tooLittle })}
      >
        {({ value, onChange, onBlur }) => (
          <QuotaInput value={value} onValueChange={onChange} onBlur={onBlur} />
        )}
      </FormField>
    </FormDialog>
  )
}
