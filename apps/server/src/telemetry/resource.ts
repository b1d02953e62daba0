import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'

/** What a collector calls this node; `OTEL_RESOURCE_ATTRIBUTES` adds to it. */
export function resourceOf({ version, node }: { readonly version: string; readonly node: string }): Resource {
  return defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'tollgate',
        'service.version': version,
        'service.instance.id': node,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))
}
