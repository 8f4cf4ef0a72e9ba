pub(crate) async fn run(_settings: &crate::bench::Settings) -> anyhow::Result<()> {
    anyhow::bail!("later")
}
