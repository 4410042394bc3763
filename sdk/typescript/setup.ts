// What the generated client starts with: no header that names its generator to the service.
export default { config: { clientHeader: false } };
