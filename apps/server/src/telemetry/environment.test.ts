import { describe, expect, it } from 'bun:test'
import { exportedSignals, telemetryEnvironment } from './environment.ts'

const read = (env: Readonly<Record<string, string>>) => telemetryEnvironment.parse(env)

describe('what may be watched', () => {
  it('is nothing by default, and whatever signals have an address', () => {
    const signals = (env: Readonly<Record<string, string>>) => exportedSignals(read(env))
    const everywhere = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
    expect(signals({})).toEqual({ traces: false, metrics: false })
    expect(signals(everywhere)).toEqual({ traces: true, metrics: true })
    expect(signals({ ...everywhere, OTEL_METRICS_EXPORTER: 'none' })).toEqual({
      traces: true,
      metrics: false,
    })
    expect(signals({ ...everywhere, OTEL_SDK_DISABLED: 'TRUE' })).toEqual({ traces: false, metrics: false })
    expect(signals({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://c/v1/metrics' })).toEqual({
      traces: false,
      metrics: true,
    })
  })

  it.each([
    ['9464', { hostname: '127.0.0.1', port: 9464 }],
    ['0.0.0.0:9464', { hostname: '0.0.0.0', port: 9464 }],
    ['[::1]:9464', { hostname: '::1', port: 9464 }],
  ])('listens at %s', (text, address) => {
    expect(read({ METRICS_LISTEN: text }).METRICS_LISTEN).toEqual(address)
  })

  it.each([
    ['METRICS_LISTEN', ':9464'],
    ['METRICS_LISTEN', '127.0.0.1:99999'],
    ['METRICS_TOKEN', 'short'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ])('does not take %s=%s', (name, text) => {
    expect(telemetryEnvironment.safeParse({ [name]: text }).success).toBe(false)
  })
})
