import { type Channel, channelStatuses } from '@tollgate/api'
import { Zap } from 'lucide-react'
import { type ReactNode, type RefObject, startTransition, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SaveFailure } from '../../../components/form/index.ts'
import { useStops } from '../../../components/stops/index.ts'
import { Button } from '../../../components/ui/button.tsx'
import { ConfirmDialog } from '../../../components/ui/overlay/dialog.tsx'
import { Sheet } from '../../../components/ui/overlay/sheet.tsx'
import { toast } from '../../../lib/toast.ts'
import { useTestChannel } from '../test/use-test-channel.ts'
import { AdvancedSection } from './advanced-section.tsx'
import { BasicsSection } from './basics-section.tsx'
import { type ChannelForm, endsInVersion } from './channel-form.ts'
import { DraftResult } from './draft-result.tsx'
import type { SectionProps } from './form-field.tsx'
import { ModelsSection } from './models-section.tsx'
import { focusLateForm, revealField, revealSection } from './reveal.ts'
import { RoutingSection } from './routing-section.tsx'
import { SectionNav } from './section-nav.tsx'
import { useChannelForm } from './use-channel-form.ts'
import { useDraftTest } from './use-draft-test.ts'

export interface ChannelFormSheetProps {
  readonly title: string
  readonly description?: ReactNode
  /** Initial values of the form; `undefined` while they are being read. */
  readonly start: ChannelForm | undefined
  /** Content in place of the form while there is none. */
  readonly fallback?: ReactNode
  /** The stored channel; none when a new one is made. */
  readonly channel?: Channel | undefined
  /** Over the fields: how the stored channel is doing. */
  readonly head?: ReactNode
  readonly onClose: () => void
  /** @param tested it passed a test as it was saved */
  readonly onSaved: (channel: Channel, tested: boolean) => void
}

/** The channel form in its sheet, from the first key press to the response of the server. */
export function ChannelFormSheet(props: ChannelFormSheetProps) {
  const { title, description, start, channel, fallback, head, onClose } = props
  const { t } = useTranslation('channels')
  const body = useRef<HTMLDivElement>(null)
  const [asking, setAsking] = useState(false)
  const { ask } = useStops()
  const channelForm = useChannelForm({ start, channel, onSaved })
  const { values, problems, firstProblem, saving, dirty } = channelForm
  const draft = useDraftTest(values, channel, (error) => {
    if (!channelForm.refuse(error)) toast.error(error.message)
    setTimeout(() => revealField(body.current, '[data-invalid]'))
  })
  function onSaved(saved: Channel): void {
    props.onSaved(saved, draft.result?.passed === true)
  }
  useRevealedProblem(body, channelForm)

  function submit(): void {
    const moved = values.baseUrl !== start?.baseUrl
    if (endsInVersion(values) && moved && channelForm.canSave()) setAsking(true)
    else void submitAfterStops()
  }

  /** Names the models that nobody would serve any more, where the form takes models or groups from a channel in service. */
  async function submitAfterStops(): Promise<void> {
    if (channel && start && isInService(channel) && takesAway(start, values) && channelForm.canSave()) {
      const change = { ids: [channel.id], models: values.models.join(','), group: values.groups.join(',') }
      const question = { title: t('stops.editTitle', { name: channel.name }), confirmLabel: t('stops.edit') }
      if (!(await ask(change, question))) return
    }
    channelForm.submit()
  }

  return (
    <>
      <Sheet
        open
        size="lg"
        title={title}
        description={description}
        onClose={onClose}
        submitting={saving}
        submitLabel={t(channel ? 'form.save' : 'form.create')}
        footer={
          start && (
            <span className="flex min-w-0 items-center gap-3">
              {channel && !dirty ? (
                <StoredTest channel={channel} />
              ) : (
                <Button icon={Zap} loading={draft.isPending} disabled={saving} onClick={draft.start}>
                  {t(channel ? 'draft.testChanges' : 'draft.test')}
                </Button>
              )}
              {firstProblem && (
                <span className="truncate text-bad text-sm max-sm:hidden">{firstProblem}</span>
              )}
            </span>
          )
        }
        note={draft.result && <DraftResult result={draft.result} />}
        nav={start && <SectionNav body={body} form={values} />}
        {...(start && { dirty, onSubmit: submit })}
      >
        {start ? (
          <FormBody
            body={body}
            form={values}
            change={channelForm.change}
            problems={problems}
            channel={channel}
            head={
              <>
                <SaveFailure saveForm={channelForm} title={t('form.refused')} labelOf={channelForm.labelOf} />
                {head}
              </>
            }
          />
        ) : (
          fallback
        )}
      </Sheet>
      <ConfirmDialog
        open={asking}
        title={t('version.title')}
        description={t('version.description')}
        confirmLabel={t('version.keep')}
        cancelLabel={t('version.back')}
        onCancel={() => {
          setAsking(false)
          setTimeout(() => revealField(body.current, '[data-field="baseUrl"]'))
        }}
        onConfirm={() => {
          setAsking(false)
          void submitAfterStops()
        }}
      />
    </>
  )
}

function isInService({ status }: Channel): boolean {
  return status === channelStatuses.enabled
}

/** Decides whether a form has lost a model or a group. */
function takesAway(start: ChannelForm, now: ChannelForm): boolean {
  const lost = (before: readonly string[], after: readonly string[]) =>
    before.some((name) => !after.includes(name))
  return lost(start.models, now.models) || lost(start.groups, now.groups)
}

/** A test of the channel as it is stored: its health and its row show the result. */
function StoredTest({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const test = useTestChannel(channel)
  return (
    <Button icon={Zap} loading={test.isPending} onClick={() => test.mutate(undefined)}>
      {t('draft.test')}
    </Button>
  )
}

/** After a try to save: brings the topmost field that is wrong into view, found by the form or the server. */
function useRevealedProblem(
  body: RefObject<HTMLElement | null>,
  { form, saving }: Pick<ReturnType<typeof useChannelForm>, 'form' | 'saving'>,
): void {
  const { submitCount } = form.formState
  useEffect(() => {
    if (submitCount > 0 && !saving) setTimeout(() => revealField(body.current, '[data-invalid]'))
  }, [body, submitCount, saving])
}

interface FormBodyProps extends SectionProps {
  readonly body: RefObject<HTMLDivElement | null>
  readonly channel: Channel | undefined
  readonly head: ReactNode
}

function FormBody({ body, head, channel, ...section }: FormBodyProps) {
  const isDrawn = useDrawnFirst()
  useSectionOfAddress(body, isDrawn)
  useEffect(() => focusLateForm(body.current), [body])
  return (
    <div ref={body}>
      <div className="mb-4 flex flex-col gap-3 empty:hidden">{head}</div>
      <div className="flex flex-col gap-5">
        <BasicsSection {...section} channel={channel} />
        {isDrawn && (
          <>
            <ModelsSection {...section} channel={channel} />
            <RoutingSection {...section} />
            <AdvancedSection {...section} />
          </>
        )}
      </div>
    </div>
  )
}

/**
 * Returns whether the first section is on screen: the others follow in a task that the browser may interrupt, so that no key press waits for
 * them. Their fields have their values from the form.
 */
function useDrawnFirst(): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => startTransition(() => setDrawn(true)), [])
  return isDrawn
}

/** Opens the form at the section that the address names, once it is drawn: `/channel/edit/3#routing`. */
function useSectionOfAddress(body: RefObject<HTMLElement | null>, isDrawn: boolean): void {
  useEffect(() => {
    const id = window.location.hash.slice(1)
    if (isDrawn && id !== '') revealSection(body.current, id)
  }, [body, isDrawn])
}
