import {
  type ChatRequest,
  callerFieldName,
  type EncodedRequest,
  type EncodeTarget,
  type FormatName,
  type Instructions,
  type JsonEdits,
  type JsonObject,
  type ModeCodec,
  parseJson,
  type ReceivedJson,
  RequestFault,
  type RequestText,
  scanTopLevel,
  splicedPieces,
  spliceMembers,
  textWithEdits,
  type UpstreamCodec,
  valueWithEdits,
  withCallerFieldName,
  withInstructions,
  withMovedMedia,
  withoutCustomTools,
  withoutSignedReasoning,
} from '@tollgate/formats'
import {
  type Adaptation,
  type AdaptPlan,
  adapt,
  defaultModelOptions,
  followOverride,
  type HeaderMap,
  type ModelOptions,
  modelVariant,
  type Operation,
  type PlainFormat,
} from '@tollgate/providers'
import type { ParamOverride } from './body-operations/operation.ts'
import { overridden } from './body-operations/override-edits.ts'
import { encodingOptions } from './model-settings.ts'
import { areCut, type Restore, restoredEdits, uncutText } from './request-body/restored-text.ts'
import { type FormBody, isForm, type SentBody, sentText } from './request-body/sent-body.ts'

/** The body of a call, in the format that its caller wrote it in. */
export interface CallBody {
  readonly format: FormatName | PlainFormat
  readonly native: RequestText
  /** Edits of the body for an upstream of the same format. */
  nativeEdits(target: EncodeTarget): JsonEdits
  /**
   * The same call with another text; absent for formats that no host fits.
   * @param body the text's members
   */
  withText?(text: string, body: JsonObject): CallBody
  /** Absent for formats without instructions. See `ChatCodec.instructionEdits`. */
  instructionEdits?(instructions: Instructions): JsonEdits | undefined
  /**
   * The body in the canonical form; absent for formats that are never translated.
   * @throws RequestFault for a body that only an upstream of its own format can judge
   */
  canonical?(): ChatRequest
  /** Encodes a call that is a form: its native text consists of its fields alone. */
  encodeForm?(target: Pick<BodyTarget, 'upstreamModel' | 'override'>): FormBody
  /** Decides for a form whether an operation that takes no forms can still take its files. */
  suits?(operation: Operation): boolean
  /**
   * Encodes a form for such an operation.
   * @throws RequestFault as `ModeCodec.encodeRequest`
   */
  encodeFiles?(operation: Operation, target: EncodeTarget): EncodedFiles
  /**
   * Encodes the body in an upstream's own format; absent for chat.
   * @throws RequestFault as `ModeCodec.encodeRequest`
   */
  encodeOwn?(plain: ModeCodec, target: EncodeTarget): EncodedRequest
  /**
   * The same call in the format that most upstreams of its mode take, for those that do not take its own; absent for formats
   * that are it, or are translated otherwise.
   * @throws RequestFault for a field that this format cannot express
   */
  pivot?(): PivotBody
  /** Absent where the native members contain all literals. */
  readonly restore?: Restore | undefined
}

/** A body in the format that it is translated through. */
export interface PivotBody {
  readonly body: CallBody
  /** Names of dropped fields, as in `UpstreamBody.dropped`. */
  readonly dropped: readonly string[]
}

export interface BodyTarget {
  readonly operation: Operation
  /** Model name after mapping. */
  readonly upstreamModel: string
  /** See `EncodeTarget.callId`. */
  readonly callId?: string
  /** See `EncodeTarget.fileIds`. */
  readonly fileIds?: EncodeTarget['fileIds']
  /** The channel's `param_override`; it overrides everything but `stream`. */
  readonly override: ParamOverride | null
  /** Name of the model as the caller wrote it, for conditions of the override; the upstream's by default. */
  readonly callerModel?: string
  /** Instructions that the channel puts before the caller's. */
  readonly instructions?: Instructions | undefined
  /** The operator's settings; the defaults when absent. */
  readonly options?: ModelOptions
  /** Forwarded header fields; none when absent. */
  readonly headers?: HeaderMap
  /** An upstream of the caller's format gets the body as it was received. */
  readonly passThrough?: boolean
  /** The upstream has refused the signed reasoning of earlier turns: the body goes without it. See `withoutSignedReasoning`. */
  readonly withoutReasoning?: boolean
}

export interface UpstreamBody {
  /** The model as the upstream knows it: without an ending that asks for something. */
  readonly model: string
  /** The name that its body says, where the channel's quirks or the operator's override changed it. */
  readonly sentModel?: string | undefined
  /** Set when the channel's own instructions are in it. */
  readonly isInstructed: boolean
  /** The bytes to send. */
  readonly text: SentBody
  /** Names of dropped fields that do not change the response. */
  readonly dropped: readonly string[]
  /** Signed reasoning was taken out of it: see `BodyTarget.withoutReasoning`. */
  readonly lacksReasoning?: boolean | undefined
  /** Names of tools that the upstream knows by a shorter one, by that one; absent or empty for nearly every call. */
  readonly toolNames?: ReadonlyMap<string, string> | undefined
}

/** The content of a form for an upstream that takes no forms. */
export type EncodedFiles = Pick<UpstreamBody, 'text' | 'dropped'>

/** Decides whether a call can be sent to an operation at all: in its own format, or translated. */
export function canCarry(
  body: Pick<CallBody, 'format' | 'canonical' | 'encodeOwn' | 'suits' | 'pivot'>,
  operation: Operation,
): boolean {
  // Encoding refuses a body that the pivot format cannot express, and names the field.
  if (body.format === operation.format || body.pivot !== undefined) return true
  if (body.canonical !== undefined) return operation.codec !== undefined
  if (body.suits !== undefined) return body.suits(operation)
  return body.encodeOwn !== undefined && operation.plain !== undefined
}

/** Decides whether a body goes to an operation as it was received. Clouds that host others' models take no vendor's own body. */
export function passesThrough(body: Pick<CallBody, 'format'>, operation: Operation): boolean {
  return body.format === operation.format && operation.hosted !== true
}

/**
 * The body for an upstream: byte for byte as received but for the named edits where the formats are the same, translated
 * where they are not.
 * @throws RequestFault for a field that the upstream's format cannot express
 */
export function encodeBody(body: CallBody, target: BodyTarget): UpstreamBody {
  const {
    operation,
    upstreamModel,
    callId,
    fileIds,
    passThrough = false,
    options = defaultModelOptions,
  } = target
  if (passThrough && body.encodeForm === undefined && passesThrough(body, operation)) {
    const { body: taken, dropped } = fittedBody(body, target, upstreamModel)
    return { text: asReceived(taken.native), dropped, model: upstreamModel, isInstructed: false }
  }
  if (body.pivot !== undefined && body.format !== operation.format) return encodePivot(body.pivot(), target)
  const variant = modelVariant(operation.format, upstreamModel, options)
  const { streamOptions, hosted = false, plainItems = false, silentReasoning = false } = operation
  const encoding = encodingOptions(operation.format, options, upstreamModel, variant?.model)
  const model = variant?.model ?? upstreamModel
  const plan = operation.planFor?.(model)
  const context = {
    target,
    variant,
    plan,
    encodeTarget: {
      model,
      callId,
      fileIds,
      streamOptions,
      hosted,
      plainItems,
      silentReasoning,
      ...encoding,
      ...plan?.encoding,
    },
  }
  const made = body.format === operation.format ? edited(body, context) : translated(body, context)
  const encoded = target.withoutReasoning === true ? shortened(made, operation) : made
  const { enclosure } = operation
  return {
    model,
    isInstructed: encoded.isInstructed,
    text: enclosure === undefined ? encoded.text : enclosed(encoded.text, enclosure),
    dropped: encoded.dropped,
    toolNames: encoded.toolNames,
    sentModel: encoded.sentModel,
    lacksReasoning: encoded.lacksReasoning,
  }
}

/** The body without signed reasoning; the same where it holds none. */
function shortened(made: Encoded, { format }: Operation): Encoded {
  const text = isForm(made.text) ? undefined : withoutSignedReasoning(format, sentText(made.text))
  if (text === undefined) return made
  return { ...made, text, dropped: joined(made.dropped, ['reasoning']), lacksReasoning: true }
}

function enclosed(body: SentBody, { before, after }: NonNullable<Operation['enclosure']>): SentBody {
  return `${before}${Buffer.from(sentText(body)).toString('base64')}${after}`
}

function encodePivot({ body, dropped }: PivotBody, target: BodyTarget): UpstreamBody {
  const encoded = encodeBody(body, target)
  return { ...encoded, dropped: [...dropped, ...encoded.dropped] }
}

interface EncodeContext {
  readonly target: BodyTarget
  readonly encodeTarget: EncodeTarget
  readonly variant: ReturnType<typeof modelVariant>
  readonly plan: AdaptPlan | undefined
}

type Encoded = Omit<UpstreamBody, 'model'>

interface HostedBody {
  readonly text: string
  readonly body: JsonObject
  readonly dropped: readonly string[]
}

/** Leaves out what the upstream's host does not take; `undefined` where it takes all. See `Operation.fit`. */
function fitToHost(native: RequestText, target: BodyTarget, model: string): HostedBody | undefined {
  const { operation, headers = noHeaders } = target
  const fit = operation.fit?.(native.body, { model, headers })
  if (fit === undefined || fit.edits.length === 0) return undefined
  const { edits, dropped } = fit
  // Edits inside of an object leave an object.
  const body = valueWithEdits(native.body, edits) as JsonObject
  return { text: textWithEdits(native.text, edits), body, dropped }
}

function fittedBody(
  body: CallBody,
  target: BodyTarget,
  model: string,
): { readonly body: CallBody; readonly dropped: readonly string[] } {
  const fit = body.withText === undefined ? undefined : fitToHost(body.native, target, model)
  if (fit === undefined) return { body, dropped: nothing }
  return { body: body.withText?.(fit.text, fit.body) ?? body, dropped: fit.dropped }
}

function edited(received: CallBody, context: EncodeContext): Encoded {
  const { instructions } = context.target
  // Forms are edited as they are sent.
  if (received.encodeForm !== undefined)
    return { text: received.encodeForm(context.target), dropped: nothing, isInstructed: false }
  const { body, dropped } = fittedBody(received, context.target, context.encodeTarget.model)
  const edits = body.nativeEdits(context.encodeTarget)
  const instructing = instructions && body.instructionEdits?.(instructions)
  const own = instructing === undefined ? edits : new Map([...edits, ...instructing])
  const fitted = spliced(body.native, own, body, context)
  return {
    text: fitted.text,
    dropped: joined(dropped, fitted.dropped),
    toolNames: fitted.toolNames,
    sentModel: fitted.sentModel,
    isInstructed: instructing !== undefined,
  }
}

function translated(body: CallBody, context: EncodeContext): Encoded {
  if (body.encodeFiles !== undefined)
    return { ...body.encodeFiles(context.target.operation, context.encodeTarget), isInstructed: false }
  const { encoded, isInstructed } = encodedRequest(body, context)
  const made = textOf(encoded.body)
  const fit = fitToHost(made, context.target, context.encodeTarget.model)
  const fittedText = fit === undefined ? made : new ScannedOnce(fit.text, fit.body)
  const fitted = inCallersNames(body, () => spliced(fittedText, noEdits, body, context))
  const dropped = new Set([...encoded.dropped, ...(fit?.dropped ?? nothing), ...fitted.dropped])
  return { ...fitted, dropped: [...dropped], isInstructed }
}

/** Adapts a body and names dropped or refused fields as the caller does. @throws RequestFault */
function inCallersNames(body: CallBody, adaptBody: () => Spliced): Spliced {
  const request = body.canonical?.()
  if (request === undefined) return adaptBody()
  try {
    const fitted = adaptBody()
    return { ...fitted, dropped: fitted.dropped.map((name) => callerFieldName(name, body.format, request)) }
  } catch (error) {
    throw error instanceof RequestFault ? withCallerFieldName(error, body.format, request) : error
  }
}

type Spliced = Pick<UpstreamBody, 'text' | 'dropped' | 'toolNames' | 'sentModel'>

/** The model that edits name; `undefined` where they name none. */
function editedModel(edits: JsonEdits): string | undefined {
  const text = edits.get('model')
  const model = text === undefined ? undefined : parseJson(text)
  return typeof model === 'string' ? model : undefined
}

/** The text with all edits, and with the literals that they lack. */
function spliced(made: RequestText, edits: JsonEdits, body: CallBody, context: EncodeContext): Spliced {
  const { native, restore } = body
  const isTranslated = made !== native
  // Operations read and change texts, so they need complete ones.
  if (restore !== undefined && (context.target.override?.operations.length ?? 0) > 0) {
    const uncut = uncutText(made, restore)
    const fitted = withOwnEdits(restoredEdits(edits, restore), uncut, isTranslated, context)
    const sentModel = editedModel(fitted.edits)
    return { ...fitted, text: withEdits(uncut, fitted.edits), sentModel }
  }
  const { edits: all, dropped, toolNames } = withOwnEdits(edits, made, isTranslated, context)
  const sentModel = editedModel(all)
  if (made.received !== undefined)
    return { text: withByteEdits(made.received, all), dropped, toolNames, sentModel }
  const text = withEdits(made, all)
  // The native text itself is complete.
  const isCut = restore !== undefined && (isTranslated || areCut(all, restore))
  return { text: isCut ? restore(text) : text, dropped, toolNames, sentModel }
}

function asReceived(native: RequestText): SentBody {
  return native.received === undefined ? native.text : native.received.bytes
}

/** The bytes between the edits are sent as they came. */
function withByteEdits({ bytes, scan }: ReceivedJson, edits: JsonEdits): SentBody {
  const pieces = splicedPieces(scan, edits)
  if (pieces === undefined) return bytes
  return pieces.map((piece) => (typeof piece === 'string' ? piece : bytes.subarray(piece.from, piece.to)))
}

function withEdits(made: RequestText, edits: JsonEdits): string {
  return edits.size === 0 ? made.text : spliceMembers(made.text, made.scan, edits)
}

function encodedRequest(
  body: CallBody,
  { target, encodeTarget }: EncodeContext,
): { readonly encoded: EncodedRequest; readonly isInstructed: boolean } {
  const { operation, instructions } = target
  const { codec, plain } = operation
  if (plain !== undefined && body.encodeOwn !== undefined)
    return { encoded: body.encodeOwn(plain, encodeTarget), isInstructed: false }
  const request = body.canonical?.()
  if (codec === undefined || request === undefined)
    throw new RequestFault('This model does not serve this endpoint.', null, 'unsupported_endpoint')
  const instructed = instructions === undefined ? request : withInstructions(request, instructions)
  const taken = codec.format === 'openai-responses' ? instructed : withoutCustomTools(instructed)
  const encoded = encodedFor(codec, withMovedMedia(taken, codec.format), encodeTarget, body.format)
  return { encoded, isInstructed: instructed !== request }
}

/** Encodes, and reports dropped fields by the caller's names. @throws RequestFault with the caller's name of the field */
function encodedFor(
  codec: UpstreamCodec,
  request: ChatRequest,
  target: EncodeTarget,
  callerFormat: string,
): EncodedRequest {
  try {
    const { body, dropped } = codec.encodeRequest(request, target)
    const names = dropped.map((name) => callerFieldName(name, callerFormat, request))
    return { body, dropped: [...new Set(names)] }
  } catch (error) {
    throw error instanceof RequestFault ? withCallerFieldName(error, callerFormat, request) : error
  }
}

/** Nearly every call drops nothing. */
function joined(one: readonly string[], other: readonly string[]): readonly string[] {
  if (one.length === 0) return other
  return other.length === 0 ? one : [...one, ...other]
}

const nothing: readonly string[] = []
const noEdits: JsonEdits = new Map()
const noHeaders: HeaderMap = {}
/** Our own encoding nests little deeper than what a caller may send. */
const maxDepth = 1024

function textOf(body: JsonObject): RequestText {
  return new ScannedOnce(JSON.stringify(body), body)
}

/** A text whose members are looked for when one is edited: most translated bodies go out as they were made. */
class ScannedOnce implements RequestText {
  readonly text: string
  readonly body: JsonObject
  #scan: RequestText['scan'] | undefined

  constructor(text: string, body: JsonObject) {
    this.text = text
    this.body = body
  }

  /** @throws RequestFault for a body that nests too deep */
  get scan(): RequestText['scan'] {
    if (this.#scan !== undefined) return this.#scan
    const scan = scanTopLevel(this.text, maxDepth, Number.POSITIVE_INFINITY)
    if (!scan.ok) throw new RequestFault('The request nests too deep.', null, 'invalid_json')
    this.#scan = scan
    return scan
  }
}

interface Fitted extends Pick<UpstreamBody, 'dropped' | 'toolNames'> {
  readonly edits: JsonEdits
}

/** Edits in ascending precedence: those of the model's name, the upstream's own and what fits its model, the operator's. */
function withOwnEdits(
  edits: JsonEdits,
  native: RequestText,
  isTranslated: boolean,
  { target, variant, plan, encodeTarget }: EncodeContext,
): Fitted {
  const { operation, override, headers = noHeaders } = target
  const ofVariant = variant?.edits(native) ?? noEdits
  const ofHost = operation.quirks?.(native, encodeTarget.model, headers) ?? noEdits
  const own = laidOver(laidOver(edits, ofVariant), ofHost)
  const fitted = plan === undefined ? asItIs(own) : adapt(plan, native, own, isTranslated)
  if (override === null) return fitted
  const { callerModel = encodeTarget.model } = target
  const facts = { original_model: callerModel, upstream_model: encodeTarget.model }
  const edited = overridden(fitted.edits, native, override, facts)
  return {
    ...fitted,
    edits: plan === undefined ? edited : followOverride(plan, native, fitted.edits, edited),
  }
}

/** Calls without edits copy nothing. */
function laidOver(edits: JsonEdits, over: JsonEdits): JsonEdits {
  if (over.size === 0) return edits
  return edits.size === 0 ? over : new Map([...edits, ...over])
}

function asItIs(edits: JsonEdits): Adaptation {
  return { edits, dropped: nothing, toolNames: noNames }
}

const noNames: ReadonlyMap<string, string> = new Map()
