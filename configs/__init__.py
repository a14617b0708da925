"""The training configurations, one YAML file each."""
