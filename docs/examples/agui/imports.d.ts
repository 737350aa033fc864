// The address from which the page loads the client, as the package of the same version.
declare module 'https://esm.sh/@ag-ui/client@1.0.0' {
  export * from 'ag-ui-client-1';
}
