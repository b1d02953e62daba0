import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Channel, calls, channelStatuses } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../components/ui/button.tsx'
import { DateTimePicker } from '../../../../components/ui/date/date-time-picker.tsx'
import { Field } from '../../../../components/ui/field/field.tsx'
import { Dialog } from '../../../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../../../components/ui/tag.tsx'
import { request } from '../../../../lib/api/api-client.ts'
import { secondsNow } from '../../../../lib/server-clock.ts'
import { channelApi } from '../../api.ts'

const hour = 3600

/** Asks when a channel is switched off and on again; what is planned already can be changed or cancelled. */
export function ScheduleDialog({
  channel: { id, name, schedule, status },
  onClose,
}: {
  readonly channel: Channel
  readonly onClose: () => void
}) {
  const { t } = useTranslation('channels')
  const params = { id }
  return (
    <TimesDialog
      texts={{
        title: t('schedule.title', { name }),
        description: t('schedule.description'),
        hint: t('schedule.onHint'),
        saved: t('schedule.saved', { name }),
        cancelled: t('schedule.cancelled', { name }),
      }}
      planned={schedule ?? undefined}
      isOn={status !== channelStatuses.disabled}
      save={(body) => request(calls.channels.schedule, { params, body })}
      cancel={() => request(calls.channels.cancelSchedule, { params })}
      onClose={onClose}
    />
  )
}

interface KeyScheduleDialogProps {
  readonly channelId: number
  readonly stored: Channel['health']['keys'][number] & { readonly id: string }
  readonly onClose: () => void
}

/** Asks the same for one key of a channel. */
export function KeyScheduleDialog({ channelId, stored: key, onClose }: KeyScheduleDialogProps) {
  const { t } = useTranslation('channels')
  const name = { number: key.index + 1, hint: key.hint }
  const send = (times: Times) =>
    request(calls.channels.scheduleKey, { params: { id: channelId }, body: { key_id: key.id, ...times } })
  return (
    <TimesDialog
      texts={{
        title: t('schedule.keyTitle', name),
        description: t('schedule.keyDescription'),
        hint: t('schedule.keyOnHint'),
        saved: t('schedule.keySaved', name),
        cancelled: t('schedule.keyCancelled', name),
      }}
      planned={key.schedule}
      isOn={key.status !== 'disabled'}
      save={send}
      cancel={() => send({ off_at: 0, on_at: 0 })}
      onClose={onClose}
    />
  )
}

type Times = { readonly off_at: number; readonly on_at: number }

interface TimesDialogProps {
  readonly texts: Readonly<Record<'title' | 'description' | 'hint' | 'saved' | 'cancelled', string>>
  readonly planned: Times | undefined
  /** It can be switched off: also one that the gateway took out, which its next test may put back. */
  readonly isOn: boolean
  readonly save: (times: Times) => Promise<Channel>
  readonly cancel: () => Promise<Channel>
  readonly onClose: () => void
}

function TimesDialog({ texts, planned, isOn, onClose, ...send }: TimesDialogProps) {
  const { t } = useTranslation('channels')
  const [off, setOff] = useState(planned?.off_at || undefined)
  const [on, setOn] = useState(planned?.on_at || undefined)
  const times = { off_at: (isOn && off) || 0, on_at: on ?? 0 }
  const save = useScheduleCall(() => send.save(times), texts.saved, onClose)
  const cancel = useScheduleCall(send.cancel, texts.cancelled, onClose)
  const error = save.error ?? cancel.error
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.title}
      description={texts.description}
      footer={
        <>
          {planned ? (
            <Button className="mr-auto" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              {t('schedule.cancel')}
            </Button>
          ) : (
            <Button onClick={onClose}>{t('key.cancel')}</Button>
          )}
          <Button
            variant="primary"
            loading={save.isPending}
            disabled={(!isOn || off === undefined) && on === undefined}
            onClick={() => save.mutate()}
          >
            {t('schedule.save')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {error && <Notice tone="bad">{error.message}</Notice>}
        {isOn && <OffField value={off} onChange={setOff} />}
        <OnField value={on} onChange={setOn} off={isOn ? off : undefined} hint={texts.hint} />
      </div>
    </Dialog>
  )
}

interface TimeFieldProps {
  /** Unix seconds. */
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
}

function later(hours: number, from = secondsNow()): number {
  return Math.round(from) + hours * hour
}

function OffField({ value, onChange }: TimeFieldProps) {
  const { t } = useTranslation('channels')
  const inHours = (count: number) => ({ label: t('schedule.inHours', { count }), at: () => later(count) })
  const never = { label: t('schedule.never'), at: () => undefined }
  return (
    <Field label={t('schedule.offAt')}>
      <DateTimePicker value={value} onValueChange={onChange} shortcuts={[inHours(1), inHours(8), never]} />
    </Field>
  )
}

/** @param off time at which it goes off: shortcuts count from there */
function OnField({
  value,
  onChange,
  off,
  hint,
}: TimeFieldProps & { readonly off: number | undefined; readonly hint: string }) {
  const { t } = useTranslation('channels')
  const after = (count: number) => ({
    label: t('schedule.afterHours', { count }),
    at: () => later(count, off),
  })
  const never = { label: t('schedule.never'), at: () => undefined }
  return (
    <Field label={t('schedule.onAt')} hint={hint}>
      <DateTimePicker value={value} onValueChange={onChange} shortcuts={[after(1), after(8), never]} />
    </Field>
  )
}

/** A call about the schedule: its failure is said in the dialog, its success in a message. */
function useScheduleCall(send: () => Promise<Channel>, successMessage: string, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess(changed) {
      channelApi.lists.show(client, changed)
      onDone()
    },
    meta: { successMessage, silent: true },
  })
}
